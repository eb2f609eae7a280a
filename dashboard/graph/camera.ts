/** What part of a picture is seen: the point of it at the upper left corner, and how many pixels one of its pixels takes. */
export type Camera = { readonly x: number; readonly y: number; readonly scale: number };

export type Size = { readonly width: number; readonly height: number };

const maxScale = 2;
/** Around the picture, on the screen. */
const margin = 24;

/** The whole picture in the middle, never enlarged. */
export function fitted(picture: Size, screen: Size): Camera {
  const scale = Math.min(1, leastScale(picture, screen));
  return centred({ x: picture.width / 2, y: picture.height / 2 }, scale, screen);
}

/** A picture that would be too small to read is shown from its upper left corner instead. */
export function readable(picture: Size, screen: Size, least: number): Camera {
  const whole = fitted(picture, screen);
  if (whole.scale >= least) return whole;
  const centre = fitted({ width: picture.width, height: 0 }, screen);
  return {
    scale: least,
    x: picture.width * least + 2 * margin <= screen.width ? centre.x : -margin / least,
    y: picture.height * least + 2 * margin <= screen.height ? (picture.height - screen.height / least) / 2 : -margin / least,
  };
}

function leastScale(picture: Size, screen: Size): number {
  const inner = { width: Math.max(1, screen.width - 2 * margin), height: Math.max(1, screen.height - 2 * margin) };
  return Math.min(inner.width / Math.max(1, picture.width), inner.height / Math.max(1, picture.height));
}

/** A point of the picture in the middle of the screen. */
export function centred(point: { readonly x: number; readonly y: number }, scale: number, screen: Size): Camera {
  return { x: point.x - screen.width / scale / 2, y: point.y - screen.height / scale / 2, scale };
}

/** Moves by pixels of the screen. At least a part of the picture stays on it. */
export function panned({ x, y, scale }: Camera, dx: number, dy: number, picture: Size, screen: Size): Camera {
  const bounded = (at: number, length: number, seen: number) =>
    Math.min(Math.max(at, (margin * 2) / scale - seen), length - (margin * 2) / scale);
  return {
    x: bounded(x + dx / scale, picture.width, screen.width / scale),
    y: bounded(y + dy / scale, picture.height, screen.height / scale),
    scale,
  };
}

/** Enlarges by a factor around a point of the screen, which stays where it is. */
export function zoomed(
  camera: Camera,
  factor: number,
  at: { readonly x: number; readonly y: number },
  picture: Size,
  screen: Size,
): Camera {
  const least = Math.min(0.5, leastScale(picture, screen));
  const scale = Math.min(maxScale, Math.max(least, camera.scale * factor));
  return { x: camera.x + at.x / camera.scale - at.x / scale, y: camera.y + at.y / camera.scale - at.y / scale, scale };
}

type Rectangle = Size & { readonly x: number; readonly y: number };

/** Moves as little as it takes to see a rectangle of the picture. */
export function revealing(camera: Camera, box: Rectangle, screen: Size): Camera {
  const { scale } = camera;
  const near = (at: number, start: number, length: number, seen: number) => {
    if (start - margin / scale < at) return start - margin / scale;
    return Math.max(at, start + length + margin / scale - seen);
  };
  return {
    x: near(camera.x, box.x, box.width, screen.width / scale),
    y: near(camera.y, box.y, box.height, screen.height / scale),
    scale,
  };
}

/** Whether any of a rectangle is seen. */
export function isSeen({ x, y, scale }: Camera, box: Rectangle, screen: Size): boolean {
  return box.x + box.width >= x && box.y + box.height >= y && box.x <= x + screen.width / scale && box.y <= y + screen.height / scale;
}
