import { goQuote, isPlainObject, messageOf, parseJSON } from '@kubechain/apimachinery';
import { AuthenticationError } from '../authentication-error.ts';
import type { IssuerClient } from './issuer-client.ts';

/**
 * Where an issuer's keys are, as its document says (go-oidc NewProvider).
 * @param discoveryURL of the document; empty: below the issuer's URL
 * @throws AuthenticationError, Error for what is no document of this issuer
 */
export async function discoverKeys(client: IssuerClient, issuer: string, discoveryURL = ''): Promise<string> {
  const url = discoveryURL === '' ? `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration` : discoveryURL;
  const { body, status, statusText } = await client.get(url);
  if (status !== 200) throw problem(`${statusText}: ${body}`);
  const document = documentOf(body);
  const found = typeof document['issuer'] === 'string' ? document['issuer'] : '';
  if (found !== issuer)
    throw problem(
      'oidc: issuer did not match the issuer returned by provider, expected ' +
        `${goQuote(issuer)} got ${goQuote(found)}`,
    );
  const { jwks_uri: keys } = document;
  if (typeof keys !== 'string' || keys === '') throw problem('provider did not return JWKS URL');
  return keys;
}

function documentOf(body: string): Readonly<Record<string, unknown>> {
  try {
    const document: unknown = parseJSON(body);
    if (isPlainObject(document)) return document;
  } catch (error) {
    throw problem(`oidc: failed to decode provider discovery object: ${messageOf(error)}`);
  }
  throw problem('oidc: failed to decode provider discovery object: it is no object');
}

function problem(text: string): AuthenticationError {
  return new AuthenticationError('InvalidToken', text);
}
