"""Text tables in odd dress, each with what it holds, written by hand."""

from __future__ import annotations

import gzip
from typing import Any, NamedTuple

N = float("nan")
PLAIN = [[1.5, 2.0], [3.25, -4.0], [5.0, 6.75]]
DIGITS = [[123456789012345678.0, 0.1], [9007199254740992.0, 2.0]]  # the nearest of double precision
GAPS = [[1.5, N], [N, -4.0], [5.0, 6.75]]


class Odd(NamedTuple):
    """A file's name, its bytes, and the names and numbers of its columns."""

    name: str
    data: bytes
    names: list[str]
    numbers: list[list[float]]
    row_names: str | None = None


def odd(name: str, text: str | bytes, names: str | list[str], numbers: Any, **more: Any) -> Odd:
    data = text if isinstance(text, bytes) else text.encode()
    return Odd(name, data, names.split() if isinstance(names, str) else names, numbers, **more)


BARE = ["column 1", "column 2"]
MARKED = "a{0}b\n1.5{0}2\n3.25{0}-4\n5{0}6.75\n"
COMMA = "a,b\n1.5,2\n3.25,-4\n5,6.75\n"
EURO = "a;b\n1,5;2\n3,25;-4\n5;6,75\n"
LATE, EARLY = "\n".join(f"{i % 10},{i % 7}" for i in range(150)), [[float(i % 10), float(i % 7)] for i in range(150)]
UMLAUT = "größe,b\n1.5,2\n3.25,-4\n5,6.75\n"

FILES = {
    "comma": odd("x.csv", COMMA, "a b", PLAIN),
    "semicolon": odd("x.csv", MARKED.format(";"), "a b", PLAIN),
    "tab": odd("x.tsv", MARKED.format("\t"), "a b", PLAIN),
    "tab in csv": odd("x.csv", MARKED.format("\t"), "a b", PLAIN),
    "comma in tsv": odd("x.tsv", COMMA, "a b", PLAIN),
    "pipe": odd("x.txt", MARKED.format("|"), "a b", PLAIN),
    "space": odd("x.txt", MARKED.format(" "), "a b", PLAIN),
    "tilde": odd("x.dat", MARKED.format("~"), "a b", PLAIN),
    "caret": odd("x.dat", MARKED.format("^"), "a b", PLAIN),
    "runs of spaces": odd("x.txt", "   a     b\n 1.5   2\n3.25  -4  \n   5  6.75\n", "a b", PLAIN),
    "spaces and tabs": odd("x.txt", "a \t b\n1.5 \t 2\n3.25\t-4\n5  6.75\n", "a b", PLAIN),
    "spaces after commas": odd("x.csv", COMMA.replace(",", ", "), "a b", PLAIN),
    "spaces around cells": odd("x.csv", COMMA.replace(",", " , "), "a b", PLAIN),
    "no header": odd("x.csv", COMMA[4:], BARE, PLAIN),
    "no header, semicolon": odd("x.csv", EURO[4:], BARE, PLAIN),
    "no header, space": odd("x.txt", MARKED.format(" ")[4:], BARE, PLAIN),
    "no header, whole numbers": odd("x.csv", "0,1,2\n3,4,5\n", [*BARE, "column 3"], [[0, 1, 2], [3, 4, 5]]),
    "no header, first row missing": odd("x.csv", "NA,NA\n1.5,2\n", BARE, [[N, N], [1.5, 2]]),
    "no header, first cell missing": odd("x.csv", ",2\n3.25,-4\n", BARE, [[N, 2], [3.25, -4]]),
    "header of numbers over decimals": odd("x.csv", "0,1,2\n0.5,1.5,2.5\n", "0 1 2", [[0.5, 1.5, 2.5]]),
    "decimal comma": odd("x.csv", EURO, "a b", PLAIN),
    "decimal comma, tab": odd("x.tsv", EURO.replace(";", "\t"), "a b", PLAIN),
    "decimal comma, space": odd("x.txt", EURO.replace(";", " "), "a b", PLAIN),
    "decimal comma, one column": odd("x.csv", "a\n1,5\n3,25\n5,75\n", "a", [[1.5], [3.25], [5.75]]),
    "decimal comma, quoted": odd("x.csv", 'a,b\n"1,5",2\n"3,25",-4\n5,"6,75"\n', "a b", PLAIN),
    "thousands by dots": odd("x.csv", "a;b\n1.234,5;2\n1.000.000,25;3\n", "a b", [[1234.5, 2], [1000000.25, 3]]),
    "thousands by commas": odd("x.csv", 'a,b\n"1,234.5",2\n"1,000,000",3\n', "a b", [[1234.5, 2], [1000000, 3]]),
    "thousands by spaces": odd("x.csv", "a;b\n1 234,5;2\n1 000 000;3\n", "a b", [[1234.5, 2], [1000000, 3]]),
    "thousands by apostrophes": odd("x.csv", "a;b\n1'234.5;2\n1'000'000;3\n", "a b", [[1234.5, 2], [1000000, 3]]),
    "UTF-8 with mark": odd("x.csv", UMLAUT.encode("utf-8-sig"), "größe b", PLAIN),
    "UTF-8": odd("x.csv", UMLAUT, "größe b", PLAIN),
    "UTF-16 with mark": odd("x.csv", UMLAUT.encode("utf-16"), "größe b", PLAIN),
    "UTF-16 LE": odd("x.csv", UMLAUT.encode("utf-16-le"), "größe b", PLAIN),
    "UTF-16 BE": odd("x.csv", UMLAUT.encode("utf-16-be"), "größe b", PLAIN),
    "UTF-16 BE with mark": odd("x.csv", b"\xfe\xff" + UMLAUT.encode("utf-16-be"), "größe b", PLAIN),
    "Latin-1": odd("x.csv", UMLAUT.encode("latin-1"), "größe b", PLAIN),
    "Windows-1252": odd("x.csv", UMLAUT.replace("größe", "€").encode("cp1252"), "€ b", PLAIN),
    "gzip": odd("x.csv.gz", gzip.compress(COMMA.encode(), mtime=0), "a b", PLAIN),
    "gzip, tab, UTF-16": odd("x.tsv.gz", gzip.compress(MARKED.format("\t").encode("utf-16")), "a b", PLAIN),
    "CRLF": odd("x.csv", COMMA.replace("\n", "\r\n"), "a b", PLAIN),
    "CR": odd("x.csv", COMMA.replace("\n", "\r"), "a b", PLAIN),
    "no end of line": odd("x.csv", COMMA.rstrip(), "a b", PLAIN),
    "blank lines around": odd("x.csv", "\n" + COMMA.replace("\n1", "\n\n1") + "\n\n  \n", "a b", PLAIN),
    "blank line between rows": odd("x.csv", COMMA.replace("\n3", "\n \n3"), "a b", [PLAIN[0], [N, N], *PLAIN[1:]]),
    "blank line between quoted rows": odd(
        "x.csv", '"a","b"\n"1.5","2"\n\n"3.25","-4"\n"5","6.75"\n', "a b", [PLAIN[0], [N, N], *PLAIN[1:]]
    ),
    "blank line in one column": odd("x.csv", "a\n1.5\n\n3.25\n", "a", [[1.5], [N], [3.25]]),
    "every second line blank": odd("x.csv", COMMA.replace("\n", "\n\n"), "a b", PLAIN),
    "trailing delimiter": odd("x.csv", COMMA.replace("\n", ",\n"), "a b", PLAIN),
    "trailing delimiter, not in the header": odd("x.csv", "a,b\n" + COMMA[4:].replace("\n", ",\n"), "a b", PLAIN),
    "trailing delimiter, no header": odd("x.csv", COMMA[4:].replace("\n", ",\n"), BARE, PLAIN),
    "comments above": odd("x.csv", "# made by hand\n# in two lines, or so\n" + COMMA, "a b", PLAIN),
    "names in a comment": odd("x.csv", "# a,b\n1.5,2\n3.25,-4\n5,6.75\n", "a b", PLAIN),
    "comments below": odd("x.csv", COMMA.replace("\n3", "\n# then, later, moved\n3") + "# end\n", "a b", PLAIN),
    "delimiter told to a spreadsheet": odd("x.csv", "sep=;\n" + EURO, "a b", PLAIN),
    "empty header": odd("x.csv", ",\n1.5,2\n3.25,-4\n5,6.75\n", BARE, PLAIN),
    "blank lines at the end": odd("x.csv", COMMA + "\n\n", "a b", PLAIN),
    "UTF-32": odd("x.csv", UMLAUT.encode("utf-32"), "größe b", PLAIN),
    "quotes": odd("x.csv", '"a","b"\n"1.5","2"\n"3.25","-4"\n"5","6.75"\n', "a b", PLAIN),
    "quoted names with delimiters": odd("x.csv", '"a, first","b ""x"""\n1.5,2\n', ["a, first", 'b "x"'], [[1.5, 2]]),
    "line break in a name": odd("x.csv", '"a\nfirst",b\n1.5,2\n3,4\n', ["a\nfirst", "b"], [[1.5, 2], [3, 4]]),
    "NA": odd("x.csv", "a,b\n1.5,NA\nNA,-4\n5,6.75\n", "a b", GAPS),
    "N/A and null": odd("x.csv", "a,b\n1.5,N/A\nnull,-4\n5,6.75\n", "a b", GAPS),
    "question marks": odd("x.csv", "a,b\n1.5,?\n?,-4\n5,6.75\n", "a b", GAPS),
    "dashes": odd("x.csv", "a,b\n1.5,-\n--,-4\n5,6.75\n", "a b", GAPS),
    "NaN and NULL": odd("x.csv", "a,b\n1.5,NaN\nNULL,-4\n5,6.75\n", "a b", GAPS),
    "empty cells": odd("x.csv", "a,b\n1.5,\n,-4\n5,6.75\n", "a b", GAPS),
    "spreadsheet's #N/A": odd("x.csv", "a;b\n1,5;#N/A\n<NA>;-4\n5;6,75\n", "a b", GAPS),
    "N.A. and a database's \\N": odd("x.csv", "a,b\n1.5,\\N\nN.A.,-4\n5,6.75\n", "a b", GAPS),
    "spreadsheet's errors": odd("x.csv", "a,b\n1.5,#DIV/0!\n#VALUE!,-4\n5,6.75\n", "a b", GAPS),
    "unknown": odd("x.csv", "a,b\n1.5,unknown\nUnknown,-4\n5,6.75\n", "a b", GAPS),
    "dollars": odd("x.csv", "a,b\n$1.50,2\n$3.25,-4\n$5,6.75\n", "a b", PLAIN),
    "dollars, no header": odd("x.csv", "$1.50\n$3.25\n$5.00\n", ["column 1"], [[1.5], [3.25], [5]]),
    "euros": odd("x.csv", "a;b\n1,50 €;2\n3,25 €;-4\n5,00 €;6,75\n", "a b", PLAIN),
    "units": odd("x.csv", "a;b\n1.5 kg;2\n3.25 kg;-4\n5 kg;6.75\n", "a b", PLAIN),
    "units, glued": odd("x.csv", "a;b\n1.5cm;2\n3.25cm;-4\n5cm;6.75\n", "a b", PLAIN),
    "per cent, decimal comma": odd("x.csv", "a;b\n1,5 %;2\n3,25 %;-4\n5 %;6,75\n", "a b", PLAIN),
    "minus by parentheses": odd("x.csv", "a,b\n1.5,2\n3.25,(4)\n5,6.75\n", "a b", PLAIN),
    "minus of dollars": odd("x.csv", "a,b\n1.5,$2.00\n3.25,($4.00)\n5,$6.75\n", "a b", PLAIN),
    "minus before dollars": odd("x.csv", "a,b\n1.5,$2.00\n3.25,-$4.00\n5,$6.75\n", "a b", PLAIN),
    "apostrophes": odd("x.csv", "a;b\n1'100;2\n2'200.5;3\n", "a b", [[1100, 2], [2200.5, 3]]),
    "late NA": odd("x.csv", f"{LATE}\nNA,7\n", BARE, [*EARLY, [N, 7]]),
    "late decimals": odd("x.csv", f"{LATE}\n0.5,7\n", BARE, [*EARLY, [0.5, 7]]),
    "column without a value": odd("x.csv", "a,b\n1.5,\n3.25,\n", "a b", [[1.5, N], [3.25, N]]),
    "index of pandas": odd("x.csv", ",a,b\n0,1.5,2\n1,3.25,-4\n2,5,6.75\n", "a b", PLAIN, row_names="column 1"),
    "labels without a title": odd("x.csv", ",a,b\nu,1.5,2\nv,3.25,-4\nw,5,6.75\n", "a b", PLAIN, row_names="column 1"),
    "labels without a title, tab": odd(
        "x.txt", "\ta\tb\nu\t1.5\t2\nv\t3.25\t-4\nw\t5\t6.75\n", "a b", PLAIN, row_names="column 1"
    ),
    "row names of R": odd(
        "x.csv", '"a","b"\n"1",1.5,2\n"2",3.25,-4\n"3",5,6.75\n', "a b", PLAIN, row_names="row name"
    ),
    "row names of R, spaces": odd(
        "x.txt", '"a" "b"\n"u v" 1.5 2\n"w" 3.25 -4\n"z" 5 6.75\n', "a b", PLAIN, row_names="row name"
    ),
    "one column": odd("x.csv", "a\n1.5\n3.25\n5\n", "a", [[1.5], [3.25], [5]]),
    "one column, no header": odd("x.txt", "1.5\n3.25\n5\n", ["column 1"], [[1.5], [3.25], [5]]),
    "one row": odd("x.csv", "a,b\n1.5,2\n", "a b", [[1.5, 2]]),
    "one row, no header": odd("x.csv", "1.5,2\n", BARE, [[1.5, 2]]),
    "same name twice": odd("x.csv", "a,a\n1.5,2\n3,4\n", ["a", "a (2)"], [[1.5, 2], [3, 4]]),
    "names left out": odd("x.csv", "a,,c\n1.5,2,3\n4,5,6\n", ["a", "column 2", "c"], [[1.5, 2, 3], [4, 5, 6]]),
    "years as names": odd(
        "x.csv", ",2019,2020,2021\nx,1,2,3\ny,4,5,6\n", "2019 2020 2021", [[1, 2, 3], [4, 5, 6]], row_names="column 1"
    ),
    "scientific notation": odd("x.csv", "a,b\n1.5e0,2E+0\n325e-2,-4\n5,.675e1\n", "a b", PLAIN),
    "signs": odd("x.csv", "a,b\n+1.5,+2\n3.25,\u22124\n5,6.75\n", "a b", PLAIN),
    "per cent": odd("x.csv", "a,b\n1.5%,2\n3.25 %,-4\n5%,6.75\n", "a b", PLAIN),
    "leading zeros": odd("x.csv", "a,b\n001.5,02\n3.25,-04\n5,6.75\n", "a b", PLAIN),
    "true and false": odd("x.csv", "a,b\n1.5,true\n3.25,False\n5,TRUE\n", "a b", [[1.5, 1], [3.25, 0], [5, 1]]),
    "yes and no": odd("x.csv", "a,b\n1.5,yes\n3.25,no\n5,\n", "a b", [[1.5, 1], [3.25, 0], [5, N]]),
    "zeros and ones": odd("x.csv", "a,b\n1.5,1\n3.25,0\n5,1\n", "a b", [[1.5, 1], [3.25, 0], [5, 1]]),
    "very large and small": odd("x.csv", "a,b\n1e300,2\n1e-300,0.1\n", "a b", [[1e300, 2], [1e-300, 0.1]]),
    "many digits": odd("x.csv", "a,b\n123456789012345678,0.1\n9007199254740993,2\n", "a b", DIGITS),
}  # fmt: skip
