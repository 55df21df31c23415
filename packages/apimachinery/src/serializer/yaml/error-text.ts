import type { LineCounter, YAMLParseError } from 'yaml';
import { flowContext } from './flow.ts';

/** How Go's yaml.v2 words what the parser here found, and whether its scanner or its parser would have noticed. */
function goReason(error: YAMLParseError, text: string): { reason: string; scanner: boolean; atEnd?: boolean } {
  switch (error.code) {
    case 'TAB_AS_INDENT':
      return { reason: 'found character that cannot start any token', scanner: true };
    case 'BAD_SCALAR_START':
      return { reason: 'found character that cannot start any token', scanner: true };
    case 'BAD_DQ_ESCAPE':
      return { reason: 'found unknown escape character', scanner: true };
    case 'MULTILINE_IMPLICIT_KEY':
    case 'KEY_OVER_1024_CHARS':
    case 'BLOCK_AS_IMPLICIT_KEY': {
      return error.code === 'BLOCK_AS_IMPLICIT_KEY'
        ? { reason: 'mapping values are not allowed in this context', scanner: true }
        : { reason: "could not find expected ':'", scanner: true };
    }
    case 'MISSING_CHAR': {
      if (/quote/.test(error.message)) return { reason: 'found unexpected end of stream', scanner: true, atEnd: true };
      if (/flow/i.test(error.message))
        return {
          reason: /map/i.test(error.message) ? "did not find expected ',' or '}'" : "did not find expected ',' or ']'",
          scanner: false,
        };
      return { reason: "could not find expected ':'", scanner: true };
    }
    case 'BAD_INDENT':
      return {
        reason: /sequence/i.test(error.message) ? "did not find expected '-' indicator" : 'did not find expected key',
        scanner: false,
      };
    case 'BAD_DIRECTIVE':
      return { reason: 'found unknown directive name', scanner: true };
    case 'UNEXPECTED_TOKEN': {
      const found = text[error.pos[0]] ?? '';
      const before = text.slice(0, error.pos[0]).trimEnd().at(-1) ?? '';
      if ((found === '}' || found === ']') && ':-?'.includes(before))
        return { reason: 'did not find expected node content', scanner: false };
      return {
        reason: text.trimStart().startsWith('-') ? "did not find expected '-' indicator" : 'did not find expected key',
        scanner: false,
      };
    }
    case 'ALIAS_PROPS':
    case 'BAD_ALIAS':
    case 'BAD_PROP_ORDER':
    case 'BLOCK_IN_FLOW':
    case 'DUPLICATE_KEY':
    case 'IMPOSSIBLE':
    case 'MULTIPLE_ANCHORS':
    case 'MULTIPLE_DOCS':
    case 'MULTIPLE_TAGS':
    case 'NON_STRING_KEY':
    case 'RESOURCE_EXHAUSTION':
    case 'TAG_RESOLVE_FAILED':
    case 'BAD_COLLECTION_TYPE':
      return { reason: 'did not find expected node content', scanner: false };
    default:
      return error.code satisfies never;
  }
}

/**
 * The error as Go's yaml.v2 prints it. Its parser errors count lines from 0 (and omit line 0), its scanner
 * errors from 1; errors of an unfinished quote point behind the end.
 */
export function yamlErrorText(error: YAMLParseError, text: string, lines: LineCounter): string {
  const { reason, scanner, atEnd } = goReason(error, text);
  const multiline = error.code === 'MULTILINE_IMPLICIT_KEY';
  const inFlow = scanner && !multiline ? undefined : flowReason(error, text);
  if (inFlow !== undefined)
    return numbered(
      inFlow,
      text.slice(error.pos[0]).trim() === '' ? endLine(text) : lines.linePos(error.pos[multiline ? 1 : 0]).line - 1,
    );
  const found = lines.linePos(atEnd === true ? text.length : error.pos[0]).line;
  return numbered(
    reason,
    scanner && (atEnd !== true || found > 1) ? found - (firstLine(error, lines) ? 1 : 0) : found - 1,
  );
}

/**
 * What yaml.v2 misses inside a flow collection: a node after a bracket, comma or colon, a separator after anything
 * else.
 */
function flowReason(error: YAMLParseError, text: string): string | undefined {
  const at = error.code === 'BLOCK_IN_FLOW' ? error.pos[0] : skipSpace(text, error.pos[0]);
  const { open, previous = '' } = flowContext(text, at);
  if (open === undefined) return undefined;
  const found = text[at] ?? '';
  if ('[{,:'.includes(previous) && (found === '' || ',]}'.includes(found))) return 'did not find expected node content';
  return open === '{' ? "did not find expected ',' or '}'" : "did not find expected ',' or ']'";
}

/** The line, from 0, that yaml.v2 is in at the end of the text: a line of its own after text without a line break. */
function endLine(text: string): number {
  let count = 0;
  for (const character of text) if (character === '\n') count++;
  return text.endsWith('\n') ? count : count + 1;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && ' \t\r\n'.includes(text[at] ?? '')) at++;
  return at;
}

/** Mistakes in the first line are printed without one, also the scanner's. */
function firstLine(error: YAMLParseError, lines: LineCounter): boolean {
  return lines.linePos(error.pos[0]).line === 1;
}

function numbered(reason: string, line: number): string {
  return line > 0 ? `yaml: line ${line}: ${reason}` : `yaml: ${reason}`;
}
