"""Explicit SIMD for numba: one vector register of floats as a value, and the dozen operations on it the kernels need.

A `Vector` is 8 float32 or 4 float64 (256 bits), a number of *lanes*. Each function below is one LLVM instruction, so a
kernel written with them keeps its accumulators in registers, which the auto-vectoriser does not manage for a blocked
matrix product. LLVM splits the vectors on processors with narrower registers: slower there, never wrong.

`load_wide`, `spread_wide` and `fill_wide` make registers of twice as many lanes where the processor has such (AVX-512),
and of as many elsewhere: for kernels that are nothing but arithmetic, with tiles as wide as `WIDE_BYTES` says.
"""

from typing import Any

from llvmlite import ir
from numba import config
from numba.core import cgutils, types
from numba.core.codegen import get_host_cpu_features
from numba.extending import intrinsic, models, register_model

BYTES = 32  # of a register


def widest() -> int:
    """Bytes of the widest register of this processor, as far as numba is allowed to use it."""
    allowed = get_host_cpu_features() if config.CPU_FEATURES is None else config.CPU_FEATURES
    given_name = config.CPU_NAME not in (None, "host")
    return 2 * BYTES if "+avx512f" in allowed.split(",") and not given_name else BYTES


WIDE_BYTES = widest()


class Vector(types.Type):
    """The numba type of one register of `element`s."""

    def __init__(self, element: types.Float, size: int = BYTES) -> None:
        self.element, self.lanes = element, 8 * size // element.bitwidth
        super().__init__(name=f"Vector({element}, {self.lanes})")


@register_model(Vector)
class VectorModel(models.PrimitiveModel):
    """Held by LLVM as `<lanes x element>`."""

    def __init__(self, manager: Any, vector: Vector) -> None:
        super().__init__(manager, vector, ir.VectorType(manager.lookup(vector.element).get_value_type(), vector.lanes))


def pointer(context: Any, builder: Any, vector: Vector, array_type: Any, array: Any, offset: Any) -> Any:
    """The address of element `offset` of a contiguous array, as a pointer to a register's worth of elements."""
    data = builder.gep(cgutils.create_struct_proxy(array_type)(context, builder, array).data, [offset])
    return builder.bitcast(data, context.get_value_type(vector).as_pointer())


def filled(builder: Any, scalar: Any, lanes: int) -> Any:
    """A register with the scalar in every lane."""
    whole, numbers = ir.VectorType(scalar.type, lanes), ir.VectorType(ir.IntType(32), lanes)
    first = builder.insert_element(ir.Constant(whole, ir.Undefined), scalar, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(first, first, ir.Constant(numbers, [0] * lanes))


def call_llvm(builder: Any, name: str, registers: Any) -> Any:
    """One of LLVM's own functions, such as `llvm.sqrt.v8f32`."""
    vector = registers[0].type
    name = f"llvm.{name}.v{vector.count}{'f32' if vector.element == ir.FloatType() else 'f64'}"
    function = ir.FunctionType(vector, [vector] * len(registers))
    return builder.call(cgutils.get_or_insert_function(builder.module, function, name), registers)


def loading(array: Any, size: int) -> Any:
    """The signature and code of a load of a register of so many bytes."""
    vector = Vector(array.dtype, size)

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address = pointer(context, builder, vector, signature.args[0], *arguments)
        return builder.load(address, align=array.dtype.bitwidth // 8)

    return vector(array, types.intp), code


def spreading(array: Any, size: int) -> Any:
    """The signature and code of one element in every lane of a register of so many bytes."""
    vector = Vector(array.dtype, size)

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = cgutils.create_struct_proxy(signature.args[0])(context, builder, arguments[0]).data
        return filled(builder, builder.load(builder.gep(data, [arguments[1]])), vector.lanes)

    return vector(array, types.intp), code


def filling(scalar: Any, size: int) -> Any:
    """The signature and code of a scalar in every lane of a register of so many bytes."""
    vector = Vector(scalar, size)

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return filled(builder, arguments[0], vector.lanes)

    return vector(scalar), code


@intrinsic  # type: ignore[untyped-decorator]
def load(typing: Any, array: Any, offset: Any) -> Any:
    """The register of consecutive elements that begins at `offset` of the flat array."""
    return loading(array, BYTES)


@intrinsic  # type: ignore[untyped-decorator]
def load_wide(typing: Any, array: Any, offset: Any) -> Any:
    """As `load`, a wide register."""
    return loading(array, WIDE_BYTES)


@intrinsic  # type: ignore[untyped-decorator]
def store(typing: Any, array: Any, offset: Any, value: Any) -> Any:
    """Write the register to the flat array at `offset`."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address = pointer(context, builder, value, signature.args[0], *arguments[:2])
        builder.store(arguments[2], address, align=array.dtype.bitwidth // 8)
        return context.get_dummy_value()

    return types.void(array, types.intp, value), code


@intrinsic  # type: ignore[untyped-decorator]
def fill(typing: Any, scalar: Any) -> Any:
    """The scalar in every lane."""
    return filling(scalar, BYTES)


@intrinsic  # type: ignore[untyped-decorator]
def fill_wide(typing: Any, scalar: Any) -> Any:
    """As `fill`, a wide register."""
    return filling(scalar, WIDE_BYTES)


@intrinsic  # type: ignore[untyped-decorator]
def spread(typing: Any, array: Any, offset: Any) -> Any:
    """Element `offset` of the flat array in every lane."""
    return spreading(array, BYTES)


@intrinsic  # type: ignore[untyped-decorator]
def spread_wide(typing: Any, array: Any, offset: Any) -> Any:
    """As `spread`, a wide register."""
    return spreading(array, WIDE_BYTES)


@intrinsic  # type: ignore[untyped-decorator]
def root(typing: Any, a: Any) -> Any:
    """The square root in every lane."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return call_llvm(builder, "sqrt", arguments)

    return a(a), code


@intrinsic  # type: ignore[untyped-decorator]
def multiply_add(typing: Any, a: Any, b: Any, c: Any) -> Any:
    """a b + c in every lane, in one instruction where the processor has it."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return call_llvm(builder, "fmuladd", arguments)

    return a(a, b, c), code


@intrinsic  # type: ignore[untyped-decorator]
def minus(typing: Any, a: Any, b: Any) -> Any:
    """a - b in every lane."""
    return a(a, b), lambda context, builder, signature, arguments: builder.fsub(*arguments)


@intrinsic  # type: ignore[untyped-decorator]
def plus(typing: Any, a: Any, b: Any) -> Any:
    """a + b in every lane."""
    return a(a, b), lambda context, builder, signature, arguments: builder.fadd(*arguments)


@intrinsic  # type: ignore[untyped-decorator]
def where_greater(typing: Any, a: Any, b: Any, yes: Any, no: Any) -> Any:
    """`yes` in the lanes where a > b, `no` elsewhere; with yes=a and no=b the larger of the two."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.select(builder.fcmp_ordered(">", *arguments[:2]), *arguments[2:])

    return a(a, b, yes, no), code


@intrinsic  # type: ignore[untyped-decorator]
def transpose(
    typing: Any, source: Any, starts: Any, first: Any, column: Any, target: Any, offset: Any, stride: Any
) -> Any:
    """Copy a square of the flat source, turned: its rows begin at starts[first], starts[first + 1], ... plus `column`.

    Element (lane, r) of the square goes to target[offset + r stride + lane].
    """

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        source_, starts_, first_, column_, target_, offset_, stride_ = arguments
        vector, align = Vector(source.dtype), source.dtype.bitwidth // 8
        word = first_.type
        begin = cgutils.create_struct_proxy(signature.args[1])(context, builder, starts_).data
        rows = []
        for lane in range(vector.lanes):
            start = builder.load(builder.gep(begin, [builder.add(first_, ir.Constant(word, lane))]))
            address = pointer(context, builder, vector, signature.args[0], source_, builder.add(start, column_))
            rows.append(builder.load(address, align=align))
        for r, row in enumerate(turned(builder, rows)):
            place = builder.add(offset_, builder.mul(stride_, ir.Constant(word, r)))
            builder.store(row, pointer(context, builder, vector, signature.args[4], target_, place), align=align)
        return context.get_dummy_value()

    integer = types.intp
    return types.void(source, starts, integer, integer, target, integer, integer), code


def turned(builder: Any, rows: list[Any]) -> list[Any]:
    """The transpose of a square of registers: swap the off-diagonal halves, then those of each quarter, and so on."""
    lanes, half = len(rows), len(rows) // 2
    while half:
        upper = [lanes + lane - half if lane & half else lane for lane in range(lanes)]
        lower = [lanes + lane if lane & half else lane + half for lane in range(lanes)]
        masks = [ir.Constant(ir.VectorType(ir.IntType(32), lanes), mask) for mask in (upper, lower)]
        for i in (i for i in range(lanes) if not i & half):
            pair = rows[i], rows[i + half]
            rows[i], rows[i + half] = (builder.shuffle_vector(*pair, mask) for mask in masks)
        half //= 2
    return rows
