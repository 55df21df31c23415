import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { env } from 'node:process';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';

const root = join(import.meta.dirname, '../../..');
/** Pictures as they should be; documents show them. */
const committed = join(root, 'docs/images');
/** Where what was seen instead is left. */
const seen = join(root, 'dist/screenshots');
/** How far a pixel may be off, 0 to 1, and the share of pixels that may be further. */
const threshold = 0.15;
const mostOther = 0.005;

/**
 * Holds a picture to the committed one of its name; with UPDATE_SCREENSHOTS=1 it becomes that one.
 * @throws Error that names the folder with the picture and what is different, in red
 */
export function expectPicture(name: string, png: Uint8Array): void {
  const path = join(committed, `${name}.png`);
  if (env['UPDATE_SCREENSHOTS'] === '1') {
    mkdirSync(committed, { recursive: true });
    writeFileSync(path, smallPNG(png));
    return;
  }
  mkdirSync(seen, { recursive: true });
  writeFileSync(join(seen, `${name}.png`), png);
  const found = PNG.sync.read(Buffer.from(png));
  const fail = (text: string): never => {
    throw new Error(`${name}: ${text}; see ${seen}, or take it with UPDATE_SCREENSHOTS=1`);
  };
  if (!existsSync(path)) return fail('there is no such picture yet');
  const wanted = PNG.sync.read(readFileSync(path));
  const { height, width } = wanted;
  if (found.width !== width || found.height !== height)
    return fail(`${found.width} × ${found.height} instead of ${width} × ${height}`);
  const difference = new PNG({ width, height });
  const other = pixelmatch(wanted.data, found.data, difference.data, width, height, { threshold });
  const share = other / (width * height);
  if (share <= mostOther) return;
  writeFileSync(join(seen, `${name}.difference.png`), PNG.sync.write(difference));
  fail(`${(share * 100).toFixed(2)} % of it is different`);
}

/** With 32 shades of each colour, and no filter of lines: half the size, and the eye sees no difference. */
function smallPNG(png: Uint8Array): Buffer {
  const picture = PNG.sync.read(Buffer.from(png));
  for (const [i, value] of picture.data.entries())
    picture.data[i] = i % 4 === 3 ? 255 : (value >> 3) * 8 + (value >> 5);
  return PNG.sync.write(picture, { colorType: 2, deflateLevel: 9, deflateStrategy: 0, filterType: 0 });
}
