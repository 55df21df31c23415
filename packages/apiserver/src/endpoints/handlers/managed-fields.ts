const quote = 0x22,
  backslash = 0x5c,
  comma = 0x2c,
  openBrace = 0x7b,
  closeBrace = 0x7d,
  openBracket = 0x5b,
  closeBracket = 0x5d,
  space = 0x20;
const metadata = Buffer.from('"metadata"');
const managedFields = Buffer.from('"managedFields"');

/** Where a member of an object is. */
interface Member {
  /** Of the quote that its name begins with. */
  readonly start: number;
  readonly value: number;
  /** Behind its value. */
  readonly end: number;
}

/** The JSON of an object without its `metadata.managedFields`: views of it, in order. */
export function withoutManagedFields(json: Uint8Array): readonly Uint8Array[] {
  const found = memberOf(json, 0, metadata);
  return found === undefined ? [json] : withoutMember(json, found.value);
}

/** The same of metadata alone. */
export function metadataWithoutManagedFields(json: Uint8Array): readonly Uint8Array[] {
  return withoutMember(json, 0);
}

function withoutMember(json: Uint8Array, object: number): readonly Uint8Array[] {
  const found = memberOf(json, object, managedFields);
  if (found === undefined) return [json];
  // One comma goes with it: that behind it, or, of the last member, that before it.
  let { start, end } = found;
  const behind = skipSpace(json, end);
  if (json[behind] === comma) end = skipSpace(json, behind + 1);
  else {
    let before = start - 1;
    while ((json[before] as number) <= space) before--;
    if (json[before] === comma) start = before;
  }
  return [json.subarray(0, start), json.subarray(end)];
}

/** A member of the object that begins at `from`, by its name with quotes; undefined where there is none. */
function memberOf(json: Uint8Array, from: number, name: Uint8Array): Member | undefined {
  if (json[skipSpace(json, from)] !== openBrace) return undefined;
  let at = skipSpace(json, skipSpace(json, from) + 1);
  while (json[at] === quote) {
    const endOfName = skipString(json, at);
    // Behind the colon.
    const value = skipSpace(json, skipSpace(json, endOfName) + 1);
    const end = skipValue(json, value);
    if (endOfName - at === name.length && name.every((byte, i) => json[at + i] === byte))
      return { start: at, value, end };
    at = skipSpace(json, end);
    if (json[at] === comma) at = skipSpace(json, at + 1);
  }
  return undefined;
}

function skipSpace(json: Uint8Array, from: number): number {
  let at = from;
  while (at < json.length && (json[at] as number) <= space) at++;
  return at;
}

function skipString(json: Uint8Array, from: number): number {
  let at = from + 1;
  for (; at < json.length && json[at] !== quote; at++) if (json[at] === backslash) at++;
  return at + 1;
}

function skipValue(json: Uint8Array, from: number): number {
  let depth = 0;
  let at = from;
  while (at < json.length) {
    switch (json[at]) {
      case quote:
        at = skipString(json, at);
        if (depth === 0) return at;
        continue;
      case openBrace:
      case openBracket:
        depth++;
        break;
      case closeBrace:
      case closeBracket:
        // The end of what a number or a name stands in.
        if (depth === 0) return at;
        if (--depth === 0) return at + 1;
        break;
      case comma:
        if (depth === 0) return at;
        break;
      default:
        break;
    }
    at++;
  }
  return at;
}
