"""Mined roles for other programs: tables, JSON with its schema, SCIM, policy text and a workbook."""
