import { isPlainObject } from '@kubechain/apimachinery';
import { AuthenticationError } from '../authentication-error.ts';

/** What a token says, unverified until its verifier has given it out. */
export type Claims = Readonly<Record<string, unknown>>;

/** The text of a claim. @throws AuthenticationError `InvalidToken`, in the words of Go's decoder */
export function textClaim(claims: Claims, name: string): string {
  const value = presentClaim(claims, name);
  if (value === null) return '';
  if (typeof value !== 'string') throw mismatch(value, 'string');
  return value;
}

/** @throws AuthenticationError as {@link textClaim} */
export function switchClaim(claims: Claims, name: string): boolean {
  const value = presentClaim(claims, name);
  if (value === null) return false;
  if (typeof value !== 'boolean') throw mismatch(value, 'bool');
  return value;
}

/** A list of texts, or one alone. @throws AuthenticationError as {@link textClaim} */
export function textsClaim(claims: Claims, name: string): readonly string[] {
  const value = presentClaim(claims, name);
  if (value === null) return [];
  if (Array.isArray(value) && value.every((item) => typeof item === 'string' || item === null))
    return value.map((item) => (item as string | null) ?? '');
  if (typeof value !== 'string') throw mismatch(value, 'string');
  return [value];
}

export function hasClaim(claims: Claims, name: string): boolean {
  return Object.hasOwn(claims, name);
}

function presentClaim(claims: Claims, name: string): unknown {
  if (!hasClaim(claims, name)) throw new AuthenticationError('InvalidToken', 'claim not present');
  return claims[name];
}

function mismatch(value: unknown, wanted: string): AuthenticationError {
  return new AuthenticationError(
    'InvalidToken',
    `json: cannot unmarshal ${kindOf(value)} into Go value of type ${wanted}`,
  );
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (isPlainObject(value)) return 'object';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}
