import { isCelError, isList } from '@kubechain/cel';
import { messageOf } from '@kubechain/apimachinery';
import type { ConfiguredExpression } from '../../expressions/configured-expression.ts';
import type { UserInfo } from '../../request/user-info.ts';
import { AuthenticationError } from '../authentication-error.ts';
import { CREDENTIAL_ID_KEY } from '../well-known-users.ts';
import { hasClaim, switchClaim, textClaim, textsClaim, type Claims } from './claims.ts';
import { claimsValue } from './claims-value.ts';
import type { ConfiguredIssuer, ValidationRule } from './configured-issuer.ts';

/**
 * Who a verified token's bearer is, if its claims and its user are as they have to be.
 * @throws AuthenticationError `InvalidToken`
 * Source: plugin/pkg/authenticator/token/oidc AuthenticateToken, 1.36.
 */
export function mapClaims(claims: Claims, issuer: ConfiguredIssuer): UserInfo {
  const value = claimsValue(claims);
  const user = {
    name: usernameOf(claims, value, issuer),
    groups: groupsOf(claims, value, issuer),
    uid: uidOf(claims, value, issuer),
    extra: extraOf(claims, value, issuer),
  };
  for (const { claim, value: wanted } of issuer.requiredClaims) {
    if (!hasClaim(claims, claim)) throw refusal(`required claim ${claim} not present in ID token`);
    const got = within(`parse claim ${claim}`, () => textClaim(claims, claim));
    if (got !== wanted) throw refusal(`required claim ${claim} value does not match. Got = ${got}, want = ${wanted}`);
  }
  checkRules(issuer.claimRules, value, 'error evaluating claim validation expression');
  checkRules(
    issuer.userRules,
    claimsValue({ username: user.name, uid: user.uid, groups: user.groups, extra: user.extra }),
    'error evaluating user info validation rule',
  );
  const { extra, groups, name, uid } = user;
  return {
    name,
    groups,
    ...(uid === '' ? {} : { uid }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}

function usernameOf(claims: Claims, value: unknown, { username }: ConfiguredIssuer): string {
  if (username.kind === 'expression') {
    const name = within('error evaluating username claim expression', () => {
      const result = evaluated(username.expression, value);
      if (typeof result !== 'string') throw plain('username claim expression must return a string');
      return result;
    });
    if (name === '') throw refusal('empty username via CEL expression is not allowed');
    return name;
  }
  const { claim, prefix } = username;
  const name = within(`parse username claims ${JSON.stringify(claim)}`, () => textClaim(claims, claim));
  if (claim === 'email' && hasClaim(claims, 'email_verified')) {
    const verified = within("parse 'email_verified' claim", () => switchClaim(claims, 'email_verified'));
    if (!verified) throw refusal('email not verified');
  }
  return prefix + name;
}

function groupsOf(claims: Claims, value: unknown, { groups }: ConfiguredIssuer): readonly string[] {
  if (groups === undefined) return [];
  if (groups.kind === 'claim') {
    const { claim, prefix } = groups;
    if (!hasClaim(claims, claim)) return [];
    return within(`parse groups claim ${JSON.stringify(claim)}`, () => textsClaim(claims, claim)).map(
      (group) => prefix + group,
    );
  }
  return within('error evaluating group claim expression', () => textsOf(evaluated(groups.expression, value)));
}

function uidOf(claims: Claims, value: unknown, { uid }: ConfiguredIssuer): string {
  if (uid === undefined) return '';
  if (uid.kind === 'claim')
    return within(`parse uid claim ${JSON.stringify(uid.claim)}`, () => textClaim(claims, uid.claim));
  return within('error evaluating uid claim expression', () => {
    const result = evaluated(uid.expression, value);
    if (typeof result !== 'string') throw plain('uid claim expression must return a string');
    return result;
  });
}

function extraOf(claims: Claims, value: unknown, { extra }: ConfiguredIssuer): Record<string, readonly string[]> {
  const found: Record<string, readonly string[]> = {};
  const { jti } = claims;
  if (typeof jti === 'string' && jti !== '') found[CREDENTIAL_ID_KEY] = [`JTI=${jti}`];
  const results = extra.map(({ expression, key }) => ({ key, expression, result: evaluated(expression, value) }));
  for (const { expression, key, result } of results) {
    const texts = within(`error evaluating extra claim expression: ${expression.source}`, () => textsOf(result));
    if (texts.length > 0) found[key] = texts;
  }
  return found;
}

function checkRules(rules: readonly ValidationRule[], value: unknown, problem: string): void {
  within(problem, () => {
    const results = rules.map(({ expression }) => evaluated(expression, value));
    for (const [i, { expression, message }] of rules.entries())
      if (results[i] !== true) throw plain(`validation expression '${expression.source}' failed: ${message}`);
  });
}

function evaluated(expression: ConfiguredExpression, value: unknown): unknown {
  const result = expression.evaluate(value);
  if (isCelError(result)) throw plain(`expression '${expression.source}' resulted in error: ${result.message}`);
  return result;
}

/** Texts that are not empty, of one or of a list; null has none. */
function textsOf(result: unknown): readonly string[] {
  if (result === null) return [];
  const items = isList(result) ? Array.from({ length: result.size }, (_, i) => result.at(i)) : [result];
  return items
    .map((item) => {
      if (typeof item !== 'string') throw plain('expression must return a string or a list of strings');
      return item;
    })
    .filter((item) => item !== '');
}

function within<T>(problem: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new AuthenticationError('InvalidToken', `oidc: ${problem}: ${messageOf(error)}`, { cause: error });
  }
}

function refusal(text: string): AuthenticationError {
  return plain(`oidc: ${text}`);
}

function plain(text: string): AuthenticationError {
  return new AuthenticationError('InvalidToken', text);
}
