/** One clause of an Accept header. */
export interface AcceptClause {
  readonly type: string;
  readonly subtype: string;
  /** 0 to 1; 1 when the clause has no `q`. */
  readonly quality: number;
  /** Other parameters, in order of appearance; values as written. */
  readonly parameters: ReadonlyMap<string, string>;
}

const noParameters: ReadonlyMap<string, string> = new Map();

/**
 * Parses an Accept header into clauses, best first. Clauses that are not `type/subtype` (or `*`) are dropped, as are
 * parameters that are not `name=value`. A quality of 0 does not exclude a type: that is what the reference does
 * (goautoneg, used by apiserver/pkg/endpoints/handlers/negotiation).
 */
export function parseAccept(header: string): AcceptClause[] {
  const clauses: AcceptClause[] = [];
  for (const part of header.split(',')) {
    const clause = parseClause(part.trim());
    if (clause !== undefined) insertSorted(clauses, clause);
  }
  return clauses;
}

function parseClause(text: string): AcceptClause | undefined {
  const [range = '', ...rest] = text.split(';');
  const types = range.split('/');
  const type = (types[0] ?? '').trim();
  if (types.length > 2) return undefined;
  let subtype = (types[1] ?? '').trim();
  if (types.length === 1 || types[1] === '') {
    if (type !== '*') return undefined;
    subtype = '*';
  }
  if (rest.length === 0) return { type, subtype, quality: 1, parameters: noParameters };
  let quality = 1;
  const parameters = new Map<string, string>();
  for (const parameter of rest) {
    const [name = '', value, ...more] = parameter.split('=');
    if (value === undefined || value === '' || more.length > 0) continue;
    if (name.trim() === 'q') quality = Number.parseFloat(value) || 0;
    else parameters.set(name.trim(), value.trim());
  }
  return { type, subtype, quality, parameters };
}

function insertSorted(clauses: AcceptClause[], clause: AcceptClause): void {
  let at = clauses.length;
  while (at > 0 && isBetter(clause, clauses[at - 1] as AcceptClause)) at--;
  clauses.splice(at, 0, clause);
}

function isBetter(a: AcceptClause, b: AcceptClause): boolean {
  if (a.quality > b.quality) return true;
  if (a.type !== '*' && b.type === '*') return true;
  return a.subtype !== '*' && b.subtype === '*';
}
