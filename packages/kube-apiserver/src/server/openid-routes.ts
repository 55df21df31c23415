import type { IncomingMessage, ServerResponse } from 'node:http';
import { genericServerResponse } from '@kubechain/apimachinery';
import { Logger } from '@kubechain/apiserver/logging';
import { checkMethod, checkRouteAccept, writeError } from '@kubechain/apiserver/servers';
import { loadVerificationKeys } from '@kubechain/apiserver/tokens';
import type { NonResourceMux } from '@kubechain/apiserver/servers';
import type { FlagValues, authenticationFlags } from '@kubechain/apiserver/options';
import { keySetPath, openIDConfigurationPath, openIDDocuments } from './openid-documents.ts';

const log = new Logger('openid');

/**
 * Serves the issuer's documents by --service-account-*, or says in the log why there are none. @throws OptionsError for
 * unreadable key files
 */
export function installOpenID(
  mux: NonResourceMux,
  flags: FlagValues<typeof authenticationFlags>,
  externalAddress: string,
): void {
  const [issuer = ''] = flags['service-account-issuer'];
  const files = flags['service-account-key-file'];
  const signing = flags['service-account-signing-key-file'];
  const keys = (files.length > 0 || signing === '' ? files : [signing]).flatMap(loadVerificationKeys);
  const result = openIDDocuments({ issuer, keySetURI: flags['service-account-jwks-uri'], externalAddress, keys });
  if (result.kind === 'none') {
    log.info('the documents of the service account issuer are not served', { err: result.issue });
    return;
  }
  serve(mux, openIDConfigurationPath, { contentType: 'application/json', body: result.documents.configuration });
  serve(mux, keySetPath, { contentType: 'application/jwk-set+json', body: result.documents.keySet });
}

function serve(
  mux: NonResourceMux,
  path: string,
  document: { readonly contentType: string; readonly body: string },
): void {
  const body = Buffer.from(document.body);
  mux.handle(
    path,
    (request, response) => {
      answering(request, response, () => {
        checkMethod(request);
        checkRouteAccept(request.headers.accept, [document.contentType]);
        response.setHeader('Content-Type', document.contentType);
        response.setHeader('Cache-Control', 'public, max-age=3600');
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
