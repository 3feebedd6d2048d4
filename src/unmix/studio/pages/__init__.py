"""The pages of the studio, written with the report's own elements, so that no cell or name becomes a tag."""
