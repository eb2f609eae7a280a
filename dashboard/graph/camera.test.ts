import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { fitted, isSeen, panned, revealing, zoomed } from "./camera.ts";

const length = fc.integer({ min: 60, max: 5000 });
const sizes = fc.record({ width: length, height: length });
const at = fc.record({ x: fc.integer({ min: 0, max: 300 }), y: fc.integer({ min: 0, max: 300 }) });
const onScreen = (camera: { x: number; y: number; scale: number }, point: { x: number; y: number }) => ({
  x: (point.x - camera.x) * camera.scale,
  y: (point.y - camera.y) * camera.scale,
});

test("what fits is on the screen whole, and never enlarged", () => {
  fc.assert(
    fc.property(sizes, sizes, (picture, screen) => {
      const camera = fitted(picture, screen);
      assert.ok(camera.scale <= 1);
      const [first, last] = [onScreen(camera, { x: 0, y: 0 }), onScreen(camera, { x: picture.width, y: picture.height })];
      assert.ok(first.x >= 0 && first.y >= 0 && last.x <= screen.width && last.y <= screen.height);
    }),
  );
});

test("the point under the pointer stays there while it is enlarged", () => {
  fc.assert(
    fc.property(sizes, sizes, at, fc.double({ min: 0.5, max: 2, noNaN: true }), (picture, screen, point, factor) => {
      const camera = fitted(picture, screen);
      const inPicture = { x: camera.x + point.x / camera.scale, y: camera.y + point.y / camera.scale };
      const { x, y } = onScreen(zoomed(camera, factor, point, picture, screen), inPicture);
      assert.ok(Math.abs(x - point.x) < 1e-6 && Math.abs(y - point.y) < 1e-6);
    }),
  );
});

test("a part of the picture stays on the screen, wherever it is moved", () => {
  const far = fc.integer({ min: -100_000, max: 100_000 });
  fc.assert(
    fc.property(sizes, sizes, far, far, (picture, screen, dx, dy) => {
      const camera = panned(fitted(picture, screen), dx, dy, picture, screen);
      assert.ok(isSeen(camera, { x: 0, y: 0, ...picture }, screen));
    }),
  );
});

test("a rectangle that fits the screen is seen whole after it was revealed", () => {
  const boxes = fc.record({ x: length, y: length, width: fc.constant(8), height: fc.constant(8) });
  fc.assert(
    fc.property(boxes, sizes, (box, screen) => {
      const camera = revealing({ x: 0, y: 0, scale: 1 }, box, screen);
      const { x, y } = onScreen(camera, box);
      assert.ok(x >= 0 && y >= 0 && x + box.width <= screen.width && y + box.height <= screen.height);
    }),
  );
});
