// What a pointer draws on the map to choose rows: a rectangle between two corners, or a line that goes around them.
const brush = (function () {
  const least = 5;

  function start(x, y, free) {
    return { x, y, toX: x, toY: y, moved: false, path: free ? [[x, y]] : null };
  }
  function move(drawn, x, y) {
    drawn.toX = x;
    drawn.toY = y;
    drawn.moved = drawn.moved || Math.hypot(x - drawn.x, y - drawn.y) > least;
    if (drawn.path) drawn.path.push([x, y]);
  }
  function between(value, a, b) {
    return value >= Math.min(a, b) && value <= Math.max(a, b);
  }
  // A point is inside if a ray from it crosses the closed line an odd number of times.
  function around(path, x, y) {
    let inside = false;
    path.forEach(([bx, by], i) => {
      const [ax, ay] = path[(i || path.length) - 1];
      if (ay > y !== by > y && x < ax + (bx - ax) * (y - ay) / (by - ay)) inside = !inside;
    });
    return inside;
  }
  function holds(drawn, x, y) {
    return drawn.path ? around(drawn.path, x, y) : between(x, drawn.x, drawn.toX) && between(y, drawn.y, drawn.toY);
  }
  function draw(drawn, context, colour) {
    context.setLineDash([4, 3]);
    context.lineWidth = 1.5;
    context.strokeStyle = colour;
    context.beginPath();
    if (drawn.path) for (const [x, y] of drawn.path) context.lineTo(x, y);
    else context.rect(Math.min(drawn.x, drawn.toX), Math.min(drawn.y, drawn.toY), Math.abs(drawn.toX - drawn.x), Math.abs(drawn.toY - drawn.y));
    context.stroke();
    context.setLineDash([]);
  }
  return { start, move, holds, draw };
})();
