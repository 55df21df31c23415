/** How much of a body is looked at. */
export const sniffBytes = 512;

const html = [
  '<!DOCTYPE HTML',
  '<HTML',
  '<HEAD',
  '<SCRIPT',
  '<IFRAME',
  '<H1',
  '<DIV',
  '<FONT',
  '<TABLE',
  '<A',
  '<STYLE',
  '<TITLE',
  '<B',
  '<BODY',
  '<BR',
  '<P',
  '<!--',
];

/* eslint-disable no-control-regex */
/** Beginnings that tell a type; `.` is any byte. Latin-1. */
const magic: readonly (readonly [beginning: RegExp, type: string])[] = [
  [/^[\t\n\f\r ]*<\?xml/, 'text/xml; charset=utf-8'],
  [/^%PDF-/, 'application/pdf'],
  [/^%!PS-Adobe-/, 'application/postscript'],
  [/^\xfe\xff../s, 'text/plain; charset=utf-16be'],
  [/^\xff\xfe../s, 'text/plain; charset=utf-16le'],
  [/^\xef\xbb\xbf./s, 'text/plain; charset=utf-8'],
  [/^(?:\0\0\x01\0|\0\0\x02\0)/, 'image/x-icon'],
  [/^BM/, 'image/bmp'],
  [/^GIF8[79]a/, 'image/gif'],
  [/^RIFF....WEBPVP/s, 'image/webp'],
  [/^\x89PNG\r\n\x1a\n/, 'image/png'],
  [/^\xff\xd8\xff/, 'image/jpeg'],
  [/^FORM....AIFF/s, 'audio/aiff'],
  [/^ID3/, 'audio/mpeg'],
  [/^OggS\0/, 'application/ogg'],
  [/^MThd\0\0\0\x06/, 'audio/midi'],
  [/^RIFF....AVI /s, 'video/avi'],
  [/^RIFF....WAVE/s, 'audio/wave'],
  [/^\x1a\x45\xdf\xa3/, 'video/webm'],
  [/^\0\x01\0\0/, 'font/ttf'],
  [/^OTTO/, 'font/otf'],
  [/^ttcf/, 'font/collection'],
  [/^wOFF/, 'font/woff'],
  [/^wOF2/, 'font/woff2'],
  [/^\x1f\x8b\x08/, 'application/x-gzip'],
  [/^PK\x03\x04/, 'application/zip'],
  [/^Rar!\x1a\x07(?:\0|\x01\0)/, 'application/x-rar-compressed'],
  [/^\0asm/, 'application/wasm'],
];
/* eslint-enable no-control-regex */

/** Bytes that no text has (the WHATWG MIME sniffing standard). */
// eslint-disable-next-line no-control-regex
const binary = /[\0-\x08\x0b\x0e-\x1a\x1c-\x1f]/;

/**
 * The type that Go's server gives a body without one, by its first 512 bytes (net/http DetectContentType; of MP4 its
 * brands are not looked at).
 */
export function detectContentType(body: Buffer): string {
  const text = body.toString('latin1', 0, sniffBytes);
  const start = text.trimStart();
  const upper = start.slice(0, 20).toUpperCase();
  // A tag ends with a blank or `>`.
  if (html.some((tag) => upper.startsWith(tag) && (start[tag.length] === ' ' || start[tag.length] === '>')))
    return 'text/html; charset=utf-8';
  const found = magic.find(([beginning]) => beginning.test(text));
  if (found !== undefined) return found[1];
  return binary.test(text) ? 'application/octet-stream' : 'text/plain; charset=utf-8';
}
