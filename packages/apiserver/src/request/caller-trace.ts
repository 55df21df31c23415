import type { IncomingHttpHeaders } from 'node:http';
import type { Span } from '@kubechain/shared-storage/tracing';

/** What a request says of the trace it belongs to, as it goes on to those who are asked on its behalf. */
export interface CallerTrace {
  readonly Traceparent?: string;
  readonly Tracestate?: string;
  readonly Baggage?: string;
}

const none: CallerTrace = {};
/** W3C Trace Context: version, trace, span and flags. */
const traceparent = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;
const zeros = '0'.repeat(32);
const stateKey = /^(?:[a-z][a-z\d_\-*/]{0,255}|[a-z\d][a-z\d_\-*/]{0,240}@[a-z][a-z\d_\-*/]{0,13})$/;
const stateValue = /^[ -+\--<>-~]{0,255}[!-+\--<>-~]$/;
const maxStateMembers = 32;
/** A member of W3C Baggage: its key, its value, and what follows in properties. */
const baggageKey = /^[!#$%&'*+\-.^_`|~\w]+$/;
const baggageValue = /^[!#-+\--:<-[\]-~]*$/;
const baggageProperties = /^[^,"\\]*$/;
const maxBaggageBytes = 8_192;
const maxBaggageMembers = 64;

/**
 * What a caller says of its trace, written as the reference writes it on (otel's TraceContext and Baggage propagators,
 * which do so whether traces are on or not): in version 00, with no flag but that of being sampled, and without what
 * cannot be read.
 */
export function callerTrace(headers: IncomingHttpHeaders): CallerTrace {
  const { baggage, traceparent: parent } = headers;
  if (parent === undefined && baggage === undefined) return none;
  return { ...contextOf(parent, headers['tracestate']), ...baggageOf(baggage) };
}

/** What whoever is asked is told: the step that asks, where there is one, else the caller's own. */
export function outgoingTrace(caller: CallerTrace | undefined, span: Span | undefined): CallerTrace {
  if (span === undefined) return caller ?? none;
  const { Baggage, Traceparent, Tracestate } = caller ?? none;
  return {
    Traceparent: span.traceparent,
    // Strangers' requests begin traces of their own, of which the caller's vendors know nothing.
    ...(Tracestate !== undefined && Traceparent?.slice(3, 35) === span.traceID ? { Tracestate } : {}),
    ...(Baggage === undefined ? {} : { Baggage }),
  };
}

function contextOf(parent: unknown, state: unknown): CallerTrace {
  const match = typeof parent === 'string' ? traceparent.exec(parent) : null;
  if (match === null) return none;
  const [, version = '', trace = '', span = '', flagText = '', more] = match;
  if (version === 'ff' || zeros.startsWith(trace) || zeros.startsWith(span)) return none;
  const flags = Number.parseInt(flagText, 16);
  if (version === '00' && (more !== undefined || flags > 2)) return none;
  const Tracestate = typeof state === 'string' ? stateOf(state) : undefined;
  return { Traceparent: `00-${trace}-${span}-0${flags & 1}`, ...(Tracestate === undefined ? {} : { Tracestate }) };
}

/** undefined for what is empty, too long or not well-formed, which does not make the parent wrong. */
function stateOf(text: string): string | undefined {
  const members = text
    .split(',')
    .map(withoutBlanks)
    .filter((member) => member !== '');
  if (members.length === 0 || members.length > maxStateMembers) return undefined;
  const keys = new Set<string>();
  for (const member of members) {
    const [key = '', value = '', ...more] = member.split('=');
    if (more.length > 0 || !stateKey.test(key) || !stateValue.test(value)) return undefined;
    keys.add(key);
  }
  return keys.size === members.length ? members.join(',') : undefined;
}

function baggageOf(text: unknown): CallerTrace {
  if (typeof text !== 'string' || text === '' || text.length > maxBaggageBytes) return none;
  const members = text.split(',').map(withoutBlanks);
  return members.length <= maxBaggageMembers && members.every(isBaggageMember) ? { Baggage: members.join(',') } : none;
}

function isBaggageMember(member: string): boolean {
  const semicolon = member.indexOf(';');
  const pair = semicolon < 0 ? member : member.slice(0, semicolon);
  const equals = pair.indexOf('=');
  return (
    equals > 0 &&
    baggageKey.test(withoutBlanks(pair.slice(0, equals))) &&
    baggageValue.test(withoutBlanks(pair.slice(equals + 1))) &&
    (semicolon < 0 || baggageProperties.test(member.slice(semicolon + 1)))
  );
}

/** Without the blanks and tabs around it; a replacement by an expression takes time in the square of them. */
function withoutBlanks(text: string): string {
  const isBlank = (at: number): boolean => text[at] === ' ' || text[at] === '\t';
  let from = 0;
  let to = text.length;
  while (from < to && isBlank(from)) from++;
  while (to > from && isBlank(to - 1)) to--;
  return text.slice(from, to);
}
