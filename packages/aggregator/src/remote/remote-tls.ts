import { readFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { checkServerIdentity, type ConnectionOptions } from 'node:tls';
import { limits, messageOf } from '@kubechain/apimachinery';
import { authoritiesOf, trustBundle } from '@kubechain/apiserver/certificates';
import type { APIService } from '../apiservice/api-service.ts';

/** An APIService whose server cannot be spoken with as its spec says. */
export class RemoteTLSError extends Error {
  override readonly name = 'RemoteTLSError';
}

/**
 * The certificate that this process shows to extension API servers; read again for each new connection setup, so that
 * it may be rotated.
 */
export interface ProxyClientCertificate {
  readonly certFile: string;
  readonly keyFile: string;
}

/**
 * How connections to the server of an APIService are secured: it must be `<service>.<namespace>.svc` by an authority
 * of caBundle (without one, of the system), unless insecureSkipTLSVerify.
 * @throws RemoteTLSError when caBundle has no certificate, or the client certificate cannot be read
 */
export function remoteTLS(
  { spec }: Pick<APIService, 'spec'>,
  client: ProxyClientCertificate | undefined,
): ConnectionOptions {
  const bundle = Buffer.from(spec.caBundle ?? '', 'base64').toString();
  const servername = `${spec.service?.name ?? ''}.${spec.service?.namespace ?? ''}.svc`;
  return {
    servername,
    rejectUnauthorized: spec.insecureSkipTLSVerify !== true,
    ALPNProtocols: ['http/1.1'],
    // Common names have not counted as host names since Go 1.15; Node still takes them.
    checkServerIdentity: (host, cert) =>
      cert.subjectaltname === undefined
        ? Object.assign(new RemoteTLSError('no subject alternative names'), {
            code: 'ERR_TLS_CERT_ALTNAME_INVALID',
            host,
            cert,
          })
        : checkServerIdentity(host, cert),
    ...(bundle === '' ? {} : trustBundle(readBundle(bundle))),
    ...(client === undefined ? {} : clientCertificate(client)),
  };
}

/** How Node's client reads the answer to a request; set while the request has no connection yet. */
interface AnswerReading {
  insecureHTTPParser?: boolean;
  maxHeaderSize?: number;
}
/** What Node's Agent offers to those who extend it, but its types do not tell. */
interface AgentInternals {
  addRequest(request: AnswerReading, options: object): void;
}

/**
 * Connections to one extension API server, kept alive. Sockets are few: requests wait for none, idle ones are closed
 * by the server. Answers are read as leniently as Go reads them (lone line feeds, a length beside chunks, folded
 * headers): the server is trusted, and what goes on to clients is framed anew.
 */
export function remoteAgent(tls: ConnectionOptions): Agent {
  const agent = new Agent({ ...tls, keepAlive: true, maxFreeSockets: 32 });
  const internals = agent as Agent & AgentInternals;
  const addRequest = internals.addRequest.bind(agent);
  internals.addRequest = (request, options) => {
    request.insecureHTTPParser = true;
    request.maxHeaderSize = limits.answerHead.value;
    addRequest(request, options);
  };
  return agent;
}

/** Read as Go reads it, which OpenSSL does not. */
function readBundle(bundle: string): string[] {
  try {
    return authoritiesOf(bundle).map(String);
  } catch (error) {
    throw new RemoteTLSError(messageOf(error), { cause: error });
  }
}

function clientCertificate({ certFile, keyFile }: ProxyClientCertificate): {
  readonly cert: Buffer;
  readonly key: Buffer;
} {
  try {
    return { cert: readFileSync(certFile), key: readFileSync(keyFile) };
  } catch (error) {
    throw new RemoteTLSError(`cannot read the proxy client certificate: ${messageOf(error)}`, { cause: error });
  }
}
