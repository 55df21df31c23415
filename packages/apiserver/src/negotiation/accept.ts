import { limits } from '@kubechain/apimachinery';

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
 * (goautoneg, used by apiserver/pkg/endpoints/handlers/negotiation). What is beyond the limit of clauses, or of one's
 * parameters, is not looked at.
 */
export function parseAccept(header: string): AcceptClause[] {
  const clauses: AcceptClause[] = [];
  for (const part of header.split(',', limits.acceptClauses.value)) {
    const clause = parseClause(part.trim());
    if (clause !== undefined) clauses.push(clause);
  }
  return sorted(clauses);
}

function parseClause(text: string): AcceptClause | undefined {
  const [range = '', ...rest] = text.split(';', limits.acceptClauses.value);
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

/** Go's sort inserts up to so many one by one, and does otherwise with more. */
const FEW = 12;

/** The order is none that holds between any three: how few are put in order decides what comes of it. */
function sorted(clauses: AcceptClause[]): AcceptClause[] {
  if (clauses.length > FEW) return clauses.sort((a, b) => Number(isBetter(b, a)) - Number(isBetter(a, b)));
  for (let i = 1; i < clauses.length; i++) {
    const clause = clauses[i] as AcceptClause;
    let at = i;
    for (; at > 0 && isBetter(clause, clauses[at - 1] as AcceptClause); at--)
      clauses[at] = clauses[at - 1] as AcceptClause;
    clauses[at] = clause;
  }
  return clauses;
}

function isBetter(a: AcceptClause, b: AcceptClause): boolean {
  if (a.quality > b.quality) return true;
  if (a.type !== '*' && b.type === '*') return true;
  return a.subtype !== '*' && b.subtype === '*';
}
