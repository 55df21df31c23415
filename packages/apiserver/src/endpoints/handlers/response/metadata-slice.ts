const quote = 0x22,
  backslash = 0x5c,
  openBrace = 0x7b,
  closeBrace = 0x7d;
const label = Buffer.from('"metadata":');

/**
 * The bytes of `metadata` in a record's JSON, without parsing it: it is the first member after `prefix`
 * (`{"kind":…,"apiVersion":…,`). undefined when the JSON does not begin like that.
 */
export function metadataSlice(json: Uint8Array, prefix: Buffer): Buffer | undefined {
  const text = Buffer.from(json.buffer, json.byteOffset, json.byteLength);
  const start = prefix.length + label.length;
  if (
    text.length < start + 2 ||
    text.compare(prefix, 0, prefix.length, 0, prefix.length) !== 0 ||
    text.compare(label, 0, label.length, prefix.length, start) !== 0
  )
    return undefined;
  if (text[start] !== openBrace) return undefined;
  let depth = 0;
  for (let i = start; i < text.length; i++) {
    switch (text[i]) {
      case quote:
        while (text[++i] !== quote) if (text[i] === backslash) i++;
        break;
      case openBrace:
        depth++;
        break;
      case closeBrace:
        if (--depth === 0) return text.subarray(start, i + 1);
        break;
      default:
        break;
    }
  }
  return undefined;
}
