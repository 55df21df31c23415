import { isUtf8 } from 'node:buffer';
import { utf8Text } from '../../text/utf8.ts';
import { DecodeError } from '../decode-error.ts';
import { readerError } from './reader-error.ts';
import { hasWideMark, wideText } from './wide-text.ts';

/** The text of a YAML document, which may be written in UTF-16. @throws DecodeError `Unreadable` with Go's text */
export function yamlText(bytes: Uint8Array): string {
  if (hasWideMark(bytes)) return wideText(bytes);
  // The parser looks for characters that are not allowed in the text; what is no text must be found before.
  const reason = isUtf8(bytes) ? undefined : readerError(bytes);
  if (reason !== undefined) throw new DecodeError('Unreadable', `yaml: ${reason}`);
  return utf8Text(bytes);
}
