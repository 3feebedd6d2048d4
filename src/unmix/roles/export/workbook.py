"""The tables as an Excel workbook, a sheet each, written as plain Office Open XML (ECMA-376).

Every text is an inline string, never a formula, and one that would be taken for a formula when typed or saved as CSV
starts with an apostrophe, as in the CSV files.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from unmix.core.storage.archive import replacing
from unmix.io.text.formula import guard
from unmix.roles.export.tables import Table, tables

MOST_ROWS = 1_048_576 - 1  # of a sheet, below the titles
MOST_CHARACTERS = 32_767  # of a cell
MOMENT = (1980, 1, 1, 0, 0, 0)  # the same tables give the same bytes
NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
ESCAPE = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")  # would be read as an escaped character
HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
SHEET_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
STYLES = (
    f'{HEAD}<styleSheet xmlns="{MAIN}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/>'
    '<sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill>'
    '<fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs '
    'count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf xfId="0"/><xf fontId="1" xfId="0" applyFont="1"/>'
    '</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
)

FROZEN = (
    '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" '
    'state="frozen"/></sheetView></sheetViews>'
)


def write_workbook(tree: Mapping[str, Any], path: str | Path) -> Path:
    """The workbook of a document, whole or not at all."""
    sheets = [part for table in tables(tree) if table.rows or table.name == "roles" for part in pages(table)]
    path = Path(path)
    with replacing(path) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts(sheets).items():
            archive.writestr(zipfile.ZipInfo(name, MOMENT), text, zipfile.ZIP_DEFLATED)
    return path


def pages(table: Table) -> list[Table]:
    """A table as sheets, more than one where it has more rows than a sheet takes."""
    starts = range(0, max(1, len(table.rows)), MOST_ROWS)
    return [
        Table(table.name.replace("_", " ").capitalize() + (f" {k}" if k > 1 else ""), table.titles,
              table.rows[start : start + MOST_ROWS])
        for k, start in enumerate(starts, 1)
    ]  # fmt: skip


def parts(sheets: Sequence[Table]) -> dict[str, str]:
    numbers = range(1, len(sheets) + 1)
    listed = "".join(f"<sheet name={quoteattr(s.name)} sheetId='{k}' r:id='r{k}'/>" for k, s in zip(numbers, sheets))
    links = "".join(
        f'<Relationship Id="r{k}" Type="{OFFICE}/worksheet" Target="worksheets/sheet{k}.xml"/>' for k in numbers
    )
    kinds = "".join(
        f'<Override PartName="/xl/worksheets/sheet{k}.xml" ContentType="{SHEET_TYPE}.worksheet+xml"/>' for k in numbers
    )
    return {
        "[Content_Types].xml": f'{HEAD}<Types xmlns="{PACKAGE}/content-types"><Default Extension="rels" ContentType='
        f'"application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType='
        f'"application/xml"/><Override PartName="/xl/workbook.xml" ContentType="{SHEET_TYPE}.sheet.main+xml"/>'
        f'<Override PartName="/xl/styles.xml" ContentType="{SHEET_TYPE}.styles+xml"/>{kinds}</Types>',
        "_rels/.rels": f'{HEAD}<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="r1" '
        f'Type="{OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'{HEAD}<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets>{listed}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'{HEAD}<Relationships xmlns="{PACKAGE}/relationships">{links}<Relationship '
        f'Id="styles" Type="{OFFICE}/styles" Target="styles.xml"/></Relationships>',
        "xl/styles.xml": STYLES,
        **{f"xl/worksheets/sheet{k}.xml": sheet(table) for k, table in zip(numbers, sheets)},
    }


def sheet(table: Table) -> str:
    """Titles in bold that stay in view, and the rows below them."""
    titles = "".join(f'<c s="1" t="inlineStr"><is><t>{xml_text(title)}</t></is></c>' for title in table.titles)
    rows = "".join(f"<row>{''.join(map(cell, row))}</row>" for row in table.rows)
    widths = "".join(
        f'<col min="{k}" max="{k}" width="{width}" customWidth="1"/>' for k, width in enumerate(wide(table), 1)
    )
    body = f"<cols>{widths}</cols><sheetData><row>{titles}</row>{rows}</sheetData>"
    return f'{HEAD}<worksheet xmlns="{MAIN}">{FROZEN}{body}</worksheet>'


def wide(table: Table) -> list[int]:
    """Widths of the columns, by their titles and first rows."""
    some = [table.titles, *table.rows[:100]]
    return [min(60, max(8, *(len(str(row[k])) + 2 for row in some))) for k in range(len(table.titles))]


def cell(value: Any) -> str:
    if isinstance(value, bool | int | float) and value == value:
        return f"<c><v>{float(value):.6g}</v></c>" if isinstance(value, float) else f"<c><v>{int(value)}</v></c>"
    return f'<c t="inlineStr"><is><t xml:space="preserve">{xml_text(guard(value))}</t></is></c>'


def xml_text(value: str) -> str:
    """Text that XML can hold; other characters are written as Excel writes them, _x0001_."""
    value = ESCAPE.sub("_x005F_", value)
    value = NOT_XML.sub(lambda match: f"_x{ord(match[0]):04X}_", value)
    return escape(value[:MOST_CHARACTERS])
