import type { APIAnswer } from '../testing/json-client.ts';
import type { Finding } from './finding.ts';
import type { SourceObject } from './source-object.ts';

interface Status {
  readonly message?: string;
  readonly reason?: string;
  readonly details?: { readonly causes?: readonly { readonly field?: string; readonly message?: string }[] };
}

/** What an answer says of the object that was sent: a finding for each cause, at its field. */
export function findingsOf(answer: APIAnswer, source: SourceObject, object: string): Finding[] {
  const warnings = answer.warnings.map((message): Finding => ({
    level: 'warning',
    rule: /deprecated/.test(message) ? 'deprecated' : 'warning',
    message,
    object,
    place: source.place(fieldIn(message)),
  }));
  return answer.status < 300 ? warnings : [...errorsOf(answer, source, object), ...warnings];
}

function errorsOf({ status, text }: APIAnswer, source: SourceObject, object: string): Finding[] {
  const { details, message = `the server answered ${status}`, reason = 'error' } = statusIn(text);
  const error = (what: string, field: string | undefined): Finding => ({
    level: 'error',
    rule: reason.toLowerCase(),
    message: what,
    object,
    place: source.place(field),
  });
  const unknown = /strict decoding error: (.*)$/s.exec(message)?.[1];
  if (unknown !== undefined)
    return unknown.split(/, (?=unknown field |duplicate field )/).map((what) => error(what, fieldIn(what)));
  const causes = (details?.causes ?? []).filter(({ field }) => field !== undefined && field !== '');
  if (reason !== 'Invalid' || causes.length === 0) return [error(message, fieldIn(message))];
  return causes.map(({ field, message: what = '' }) => error(`${field}: ${what}`, field));
}

/** A field that a text names: in quotes, or in front of a colon. */
function fieldIn(message: string): string | undefined {
  return (
    /(?:unknown|duplicate) field "([^"]+)"/.exec(message)?.[1] ??
    /^((?:spec|metadata|data)[\w.[\]"-]*):? /.exec(message)?.[1]
  );
}

function statusIn(text: string): Status {
  try {
    return JSON.parse(text) as Status;
  } catch {
    return { message: text.trim() };
  }
}
