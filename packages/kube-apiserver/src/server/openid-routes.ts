import type { IncomingMessage, ServerResponse } from 'node:http';
import { genericServerResponse } from '@kubechain/apimachinery';
import { Logger } from '@kubechain/apiserver/logging';
import { checkMethod, checkRouteAccept, writeError } from '@kubechain/apiserver/servers';
import { loadVerificationKeys } from '@kubechain/apiserver/tokens';
import type { ExternalSigner, VerificationKey } from '@kubechain/apiserver/tokens';
import type { NonResourceMux } from '@kubechain/apiserver/servers';
import type { FlagValues, authenticationFlags } from '@kubechain/apiserver/options';
import { keySetPath, openIDConfigurationPath, openIDDocuments } from './openid-documents.ts';
import type { OpenIDDocuments, OpenIDResult } from './openid-documents.ts';

const log = new Logger('openid');

/** What of the documents is in no flag. */
export interface OpenIDOptions {
  readonly externalAddress: string;
  readonly signer?: ExternalSigner | undefined;
  /** A key in place of those of files. */
  readonly given?: VerificationKey | undefined;
}

/**
 * Serves the issuer's documents by --service-account-*, or says in the log why there are none. @throws OptionsError for
 * unreadable key files
 */
export function installOpenID(
  mux: NonResourceMux,
  flags: FlagValues<typeof authenticationFlags>,
  { externalAddress, given, signer }: OpenIDOptions,
): void {
  const [issuer = ''] = flags['service-account-issuer'];
  const files = flags['service-account-key-file'];
  const signing = flags['service-account-signing-key-file'];
  const keys =
    given === undefined
      ? (files.length > 0 || signing === '' ? files : [signing]).flatMap(loadVerificationKeys)
      : [given];
  const resultOf = (known: readonly VerificationKey[]): OpenIDResult =>
    openIDDocuments({ issuer, keySetURI: flags['service-account-jwks-uri'], externalAddress, keys: known });
  const result = resultOf(signer === undefined ? keys : published(signer));
  if (result.kind === 'none') {
    log.info('the documents of the service account issuer are not served', { err: result.issue });
    return;
  }
  // Of a signer that has others by now, those that it has.
  const current = (): OpenIDDocuments => {
    const now = signer === undefined ? result : resultOf(published(signer));
    return now.kind === 'none' ? result.documents : now.documents;
  };
  const maxAgeSeconds = (): number => signer?.maxAgeSeconds ?? 3600;
  serve(mux, openIDConfigurationPath, {
    contentType: 'application/json',
    body: () => current().configuration,
    maxAgeSeconds,
  });
  serve(mux, keySetPath, { contentType: 'application/jwk-set+json', body: () => current().keySet, maxAgeSeconds });
}

function published(signer: ExternalSigner): readonly VerificationKey[] {
  return signer.keys.filter(({ excludedFromDiscovery }) => !excludedFromDiscovery);
}

function serve(
  mux: NonResourceMux,
  path: string,
  document: {
    readonly contentType: string;
    readonly body: () => string;
    readonly maxAgeSeconds: () => number;
  },
): void {
  mux.handle(
    path,
    (request, response) => {
      answering(request, response, () => {
        checkMethod(request);
        checkRouteAccept(request.headers.accept, [document.contentType]);
        response.setHeader('Content-Type', document.contentType);
        const body = Buffer.from(document.body());
        response.setHeader('Cache-Control', `public, max-age=${document.maxAgeSeconds()}`);
        response.setHeader('Content-Length', body.length);
        response.writeHead(200);
        response.end(body);
      });
    },
    { trailingSlash: true },
  );
  mux.handlePrefix(
    `${path}/`,
    (request, response) => {
      answering(request, response, () => {
        throw genericServerResponse(404, request.method ?? '');
      });
    },
    { listed: false },
  );
}

function answering(request: IncomingMessage, response: ServerResponse, answer: () => void): void {
  try {
    answer();
  } catch (error) {
    writeError(request, response, error);
  }
}
