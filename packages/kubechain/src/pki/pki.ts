import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { LaunchError } from '../launch-error.ts';
import type { CertificateRequest } from './certificate-request.ts';
import { readKeyPair, writeKeyPair, writePrivateFile, type KeyPair, type KeyPairFiles } from './key-pair-files.ts';

/** The files that the servers are started with. Names are kubeadm's. */
export interface PKI {
  readonly ca: KeyPairFiles;
  readonly serving: KeyPairFiles;
  /** A certificate for the key of `serving` that has expired, where certificates are lasting. */
  readonly expiredServingFile?: string;
  readonly frontProxyCA: KeyPairFiles;
  readonly frontProxyClient: KeyPairFiles;
  readonly serviceAccountKeyFile: string;
  readonly serviceAccountPublicKeyFile: string;
  /** For the kubeconfig. Comes later than the rest where it has to be made: an RSA key, for which no server waits. */
  readonly admin: Promise<KeyPair>;
  /** For the controllers' kubeconfig: system:kube-controller-manager. */
  readonly controllerManager: KeyPair;
  /** What kubelets are shown whose authority of clients is `ca`. */
  readonly kubeletClient: KeyPairFiles;
  readonly caCertificate: string;
  /** Whether anything that servers wait for had to be made. */
  readonly made: boolean;
}

export interface PKIOptions {
  /** Further names and addresses that the server is reached by. */
  readonly names?: readonly string[];
  readonly nowMs: number;
  /** What is made lasts a hundred years: for chains whose clock is moved. */
  readonly lasting?: boolean;
}

const CA_VALIDITY_DAYS = 3650;
const VALIDITY_DAYS = 365;
const LASTING_DAYS = 36_500;
/** Certificates with less than this ahead of them are made anew at start. */
const RENEW_BEFORE_MS = 30 * 24 * 3600 * 1000;

const SERVING_NAMES: readonly string[] = [
  'localhost',
  'kubernetes',
  'kubernetes.default',
  'kubernetes.default.svc',
  'kubernetes.default.svc.cluster.local',
  '127.0.0.1',
  '::1',
  '10.0.0.1',
];

/** The common name by which processes know their front proxy (--requestheader-allowed-names). */
export const FRONT_PROXY_NAME = 'front-proxy-client';

/** The user that RBAC's bootstrap policy gives the rights of controllers. */
export const CONTROLLER_MANAGER_NAME = 'system:kube-controller-manager';

/**
 * Makes sure that a directory holds working certificates: keeps what is there, makes what is missing, renews what ends
 * soon or does not name this host. A CA is never replaced while it lasts; clients have it.
 * @throws LaunchError `Certificates` for files that cannot be used
 */
export async function ensurePKI(directory: string, options: PKIOptions): Promise<PKI> {
  const files = (name: string): KeyPairFiles => ({
    certFile: join(directory, `${name}.crt`),
    keyFile: join(directory, `${name}.key`),
  });
  const ca = files('ca');
  const serving = files('apiserver');
  const frontProxyCA = files('front-proxy-ca');
  const frontProxyClient = files('front-proxy-client');
  const kubeletClient = files('apiserver-kubelet-client');
  const names = [...new Set([...SERVING_NAMES, hostname(), ...(options.names ?? [])])];
  const maker = new Maker(options.nowMs);
  const [authorityDays, validityDays] =
    options.lasting === true ? [LASTING_DAYS, LASTING_DAYS] : [CA_VALIDITY_DAYS, VALIDITY_DAYS];

  // Also an RSA key, and needs nobody's certificate.
  const signingKey = maker.ensureSigningKey(join(directory, 'sa.key'), join(directory, 'sa.pub'));
  // Awaited below; until then a failure is not an unhandled one.
  signingKey.catch(() => undefined);
  const [caPair, frontProxyCAPair] = await Promise.all([
    maker.ensure(ca, { request: { commonName: 'kubechain-ca', usage: 'ca', validityDays: authorityDays } }),
    maker.ensure(frontProxyCA, {
      request: { commonName: 'kubechain-front-proxy-ca', usage: 'ca', validityDays: authorityDays },
    }),
  ]);
  const [controllerManager] = await Promise.all([
    maker.ensure(files('controller-manager'), {
      issuer: caPair,
      request: { commonName: CONTROLLER_MANAGER_NAME, usage: 'client', validityDays },
    }),
    maker.ensure(kubeletClient, {
      issuer: caPair,
      request: {
        commonName: 'kube-apiserver-kubelet-client',
        // Kubelets ask this server what it may do with them.
        organization: 'system:masters',
        usage: 'client',
        validityDays,
      },
    }),
    maker.ensure(serving, {
      issuer: caPair,
      request: { commonName: 'kube-apiserver', usage: 'server', names, validityDays },
    }),
    maker.ensure(frontProxyClient, {
      issuer: frontProxyCAPair,
      request: { commonName: FRONT_PROXY_NAME, usage: 'client', validityDays },
    }),
    signingKey,
  ]);
  const admin = maker.ensure(files('admin'), {
    issuer: caPair,
    request: {
      commonName: 'kubernetes-admin',
      organization: 'system:masters',
      usage: 'client',
      validityDays,
      keyType: 'rsa',
    },
  });
  // Whoever waits for it is told.
  admin.catch(() => undefined);
  const expired = join(directory, 'apiserver-expired.crt');
  if (options.lasting === true) await maker.ensureExpired(expired, { serving, issuer: caPair, names });
  return {
    ca,
    serving,
    ...(options.lasting === true ? { expiredServingFile: expired } : {}),
    frontProxyCA,
    frontProxyClient,
    kubeletClient,
    admin,
    controllerManager,
    caCertificate: caPair.cert,
    made: maker.made,
    serviceAccountKeyFile: join(directory, 'sa.key'),
    serviceAccountPublicKeyFile: join(directory, 'sa.pub'),
  };
}

class Maker {
  made = false;
  readonly #nowMs: number;
  constructor(nowMs: number) {
    this.#nowMs = nowMs;
  }

  async ensure(
    files: KeyPairFiles,
    wanted: { readonly request: CertificateRequest; readonly issuer?: KeyPair },
  ): Promise<KeyPair> {
    const found = readKeyPair(files);
    if (found !== undefined && !this.#mustRenew(found, wanted)) return found;
    const { issueCertificate } = await import('./issue-certificate.ts');
    const pair = await issueCertificate(wanted.request, {
      nowMs: this.#nowMs,
      ...(wanted.issuer === undefined ? {} : { issuer: wanted.issuer }),
    });
    writeKeyPair(files, pair);
    this.made = true;
    return pair;
  }

  /**
   * The pair that service account tokens are signed and checked with. The public file is derived again when it is lost.
   */
  async ensureSigningKey(keyFile: string, publicFile: string): Promise<void> {
    if (existsSync(keyFile)) {
      const publicKey = publicKeyOf(keyFile);
      if (!existsSync(publicFile) || readFileSync(publicFile, 'utf8') !== publicKey)
        writePrivateFile(publicFile, publicKey);
      return;
    }
    const { generateSigningKeys } = await import('./issue-certificate.ts');
    const keys = await generateSigningKeys();
    writePrivateFile(keyFile, keys.privateKey);
    writePrivateFile(publicFile, keys.publicKey);
    this.made = true;
  }

  /** A certificate for a key that is there, of yesterday. */
  async ensureExpired(
    file: string,
    of: { readonly serving: KeyPairFiles; readonly issuer: KeyPair; readonly names: readonly string[] },
  ): Promise<void> {
    const { issuer, names, serving } = of;
    const key = createPrivateKey(readFileSync(serving.keyFile));
    if (existsSync(file)) {
      const found = new X509Certificate(readFileSync(file));
      if (found.checkPrivateKey(key) && found.verify(new X509Certificate(issuer.cert).publicKey)) return;
    }
    const { expiredCertificate } = await import('./issue-certificate.ts');
    writePrivateFile(
      file,
      expiredCertificate({ commonName: 'kube-apiserver', names, key, issuer, nowMs: this.#nowMs }),
    );
  }

  #mustRenew(
    pair: KeyPair,
    { request, issuer }: { readonly request: CertificateRequest; readonly issuer?: KeyPair },
  ): boolean {
    const certificate = new X509Certificate(pair.cert);
    if (certificate.validToDate.getTime() - this.#nowMs < RENEW_BEFORE_MS) return true;
    if (issuer !== undefined && !certificate.verify(new X509Certificate(issuer.cert).publicKey)) return true;
    return (request.names ?? []).some(
      // Cheaper than `isIP`, whose patterns take V8 milliseconds to compile.
      (name) => (/:|^[\d.]+$/.test(name) ? certificate.checkIP(name) : certificate.checkHost(name)) === undefined,
    );
  }
}

function publicKeyOf(keyFile: string): string {
  try {
    return createPublicKey(createPrivateKey(readFileSync(keyFile)))
      .export({ type: 'spki', format: 'pem' })
      .toString();
  } catch (cause) {
    throw new LaunchError(
      'Certificates',
      `'${keyFile}' is no private key (${(cause as Error).message}): put it right, or delete it to have it made anew`,
      { cause },
    );
  }
}
