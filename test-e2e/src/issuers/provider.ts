import { SignJWT, exportJWK, generateKeyPair, type CryptoKey, type JWK, type JWTPayload } from 'jose';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { listenLocally, localhostCertificate } from '../harness/local-https.ts';

/** A SubjectAccessReview that came, and what is said to it; undefined is a refusal to say anything. */
export type Answer = (spec: Readonly<Record<string, unknown>>) => object | undefined;

interface SigningKey {
  readonly alg: string;
  readonly privateKey: CryptoKey;
  readonly jwk: JWK;
}

/** Issuers of OpenID Connect by their paths, and webhooks of authorization beside them, on one port. */
export class Provider {
  /** Of the server, for those who have to trust it. */
  readonly certificate: string;
  readonly #server: Server;
  readonly #keys = new Map<string, SigningKey>();
  /** Names of issuers by their paths. */
  readonly #issuers = new Map<string, string>();
  readonly #answers = new Map<string, Answer>();
  /** Claims that are fetched, by path. */
  readonly #claims = new Map<string, string>();

  private constructor(server: Server, certificate: string) {
    this.#server = server;
    this.certificate = certificate;
  }

  /** Listens on a port of its own, as `localhost`. */
  static async start(): Promise<Provider> {
    const credentials = localhostCertificate();
    const server = createServer(credentials);
    const provider = new Provider(server, credentials.cert);
    server.on('request', (request, response) => {
      void text(request).then((body) => {
        const { status, value } = provider.#answer((request.url ?? '/').replace(/\?.*/, ''), body);
        response.statusCode = status;
        if (typeof value !== 'string') response.setHeader('content-type', 'application/json');
        response.end(typeof value === 'string' ? value : JSON.stringify(value));
      });
    });
    await listenLocally(server);
    await provider.addKey('one', 'RS256');
    await provider.addKey('two', 'ES256');
    return provider;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Makes a key that all issuers show from now on. */
  async addKey(kid: string, alg: string): Promise<void> {
    const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
    this.#keys.set(kid, { alg, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, use: 'sig' } });
  }

  /** An issuer at a path, under a name of its own or its address. */
  addIssuer(path: string, issuer = `https://localhost:${this.port}${path}`): void {
    this.#issuers.set(path, issuer);
  }

  /** A webhook at a path. */
  addWebhook(path: string, answer: Answer): void {
    this.#answers.set(path, answer);
  }

  /** A text at a path, such as a token with a claim that another one only names. */
  addText(path: string, token: string): void {
    this.#claims.set(path, token);
  }

  /** A token of `claims` as they are. */
  async sign(claims: JWTPayload, kid = 'one'): Promise<string> {
    const key = this.#keys.get(kid);
    if (key === undefined) throw new Error(`no key ${kid}`);
    return new SignJWT(claims).setProtectedHeader({ alg: key.alg, kid }).sign(key.privateKey);
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #answer(url: string, body: string): { readonly status: number; readonly value: unknown } {
    for (const [path, issuer] of this.#issuers) {
      if (url === `${path}/.well-known/openid-configuration`)
        return {
          status: 200,
          value: {
            issuer,
            jwks_uri: `https://localhost:${this.port}${path}/keys`,
            authorization_endpoint: `https://localhost:${this.port}${path}/authorize`,
            token_endpoint: `https://localhost:${this.port}${path}/token`,
          },
        };
      if (url === `${path}/keys`)
        return { status: 200, value: { keys: [...this.#keys.values()].map(({ jwk }) => jwk) } };
    }
    const token = this.#claims.get(url);
    if (token !== undefined) return { status: 200, value: token };
    const answer = this.#answers.get(url);
    if (answer === undefined) return { status: 404, value: {} };
    const { apiVersion, kind, spec } = JSON.parse(body) as Readonly<Record<string, unknown>>;
    const status = answer(spec as Readonly<Record<string, unknown>>);
    return status === undefined
      ? { status: 403, value: { apiVersion: 'v1', kind: 'Status', status: 'Failure', message: 'broken', code: 403 } }
      : { status: 200, value: { apiVersion, kind, status } };
  }
}
