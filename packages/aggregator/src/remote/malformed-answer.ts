import { goQuote, limits } from '@kubechain/apimachinery';

/** What Node's parser says of an answer that it cannot read, with what it has read. */
interface ParseError extends Error {
  readonly code?: unknown;
  readonly rawPacket?: Buffer;
}

/** Whether an extension API server sent something that is no HTTP answer. */
export function isMalformedAnswer(error: Error): boolean {
  const { code } = error as ParseError;
  // Those of time-outs are numbers.
  return typeof code === 'string' && code.startsWith('HPE_');
}

const broken = 'net/http: HTTP/1.x transport connection broken';
/** Control characters that no header may have. */
// eslint-disable-next-line no-control-regex
const controls = /[\0-\x08\x0a-\x1f\x7f]/;

/**
 * What Go's transport says of an answer whose headers, names and values in turn, cannot be handed on; undefined when
 * they can.
 */
export function illegalHeader(rawHeaders: readonly string[]): string | undefined {
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    const value = rawHeaders[i + 1] ?? '';
    if (controls.test(value) || !/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name))
      return `${broken}: malformed MIME header line: ${goQuote(`${name}: ${value}`)}`;
  }
  return undefined;
}

/** What Go's transport says of it; Node's own words where Go would have taken the answer. */
export function malformedAnswerText(error: Error): string {
  const { code, rawPacket, message } = error as ParseError;
  if (code === 'HPE_HEADER_OVERFLOW')
    return `net/http: server response headers exceeded ${limits.answerHead.value} bytes; aborted`;
  const problem = rawPacket === undefined ? undefined : problemOf(rawPacket.toString('latin1'));
  return problem === undefined ? message : `${broken}: ${problem}`;
}

function problemOf(text: string): string | undefined {
  const [statusLine = '', ...lines] = text.split(/\r?\n/);
  const [protocol = '', ...rest] = statusLine.split(' ');
  const code = rest[0];
  if (code === undefined) return `malformed HTTP response ${goQuote(statusLine)}`;
  if (!/^\d{3}$/.test(code)) return `malformed HTTP status code ${goQuote(code)}`;
  if (!/^HTTP\/\d\.\d$/.test(protocol)) return `malformed HTTP version ${goQuote(protocol)}`;
  const end = lines.indexOf('');
  const headers = end < 0 ? lines : lines.slice(0, end);
  for (const line of headers) {
    if (!line.includes(':')) return `malformed MIME header: missing colon: ${goQuote(line)}`;
    if (controls.test(line.slice(line.indexOf(':') + 1))) return `malformed MIME header line: ${goQuote(line)}`;
  }
  const lengths = headers
    .filter((line) => /^content-length:/i.test(line))
    .map((line) => line.slice(line.indexOf(':') + 1).trim());
  if (new Set(lengths).size > 1)
    return (
      'http: message cannot contain multiple Content-Length headers; got ' +
      `[${lengths.map((length) => goQuote(length)).join(' ')}]`
    );
  const [length] = lengths;
  return length === undefined || /^\d+$/.test(length) ? undefined : `bad Content-Length ${goQuote(length)}`;
}
