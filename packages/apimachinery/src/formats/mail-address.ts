import { parseIPAddress } from '../validation/ip-address.ts';

const atext = "[A-Za-z0-9!#$%&'*+\\-/=?^_`{|}~\\u0080-\\u{10ffff}]";
const dotAtom = `${atext}+(?:\\.${atext}+)*`;
const quoted = '"(?:[^"\\\\\\u0000-\\u0008\\u000a-\\u001f\\u007f]|\\\\[\\u0009\\u0020-\\u007e\\u0080-\\u{10ffff}])*"';
const literal = '\\[(?:[0-9a-fA-F:.]+)\\]';
const addrSpec = `(?:${dotAtom}|${quoted})@(?:${dotAtom}|${literal})`;
const comment = '(?:[ \\t]*\\((?:[^()\\\\]|\\\\.)*\\))?[ \\t]*';
// A phrase may have dots in its atoms, as obsolete syntax has it.
const phrase = `(?:(?:(?:${atext}|\\.)+|${quoted})[ \\t]*)+`;
const single = new RegExp(`^[ \\t]*(?:${addrSpec}|(?:${phrase})?<${addrSpec}>)${comment}$`, 'u');

/** One mail address, bare or after a name: `a@example.com`, `Ann <a@example.com>` (Go's net/mail.ParseAddress). */
export function isMailAddress(text: string): boolean {
  if (text.length > 4096 || !single.test(text)) return false;
  const address = /@\[([0-9a-fA-F:.]+)\]>?[^\]>]*$/.exec(text)?.[1];
  if (address === undefined) return true;
  const parsed = parseIPAddress(address);
  return parsed !== undefined && !parsed.leadingZeros;
}
