import type { Reach } from '@kubechain/apiserver/proxies';
import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import { trustBundle } from '@kubechain/apiserver/certificates';
import type { Node } from '@kubechain/apimachinery/types/core/v1';
import { preferredNodeAddress } from './node-address.ts';

/** How kubelets are reached: kube-apiserver's `--kubelet-*` flags. */
export interface KubeletClientOptions {
  /** Port of kubelets whose nodes do not tell one. */
  readonly port: number;
  readonly preferredAddressTypes: readonly string[];
  /** File with the authorities of kubelets' serving certificates; '' does not check them. */
  readonly certificateAuthority: string;
  /** Files with what this server shows to kubelets; both or neither. */
  readonly clientCertificate: string;
  readonly clientKey: string;
  /** How connections to nodes, pods and services are made; default: directly, and as fast as both ends are. */
  readonly reach?: Reach;
}

/** Where and how one kubelet is reached. */
export interface KubeletConnection {
  readonly hostname: string;
  readonly port: string;
  readonly tls: ConnectionOptions;
  /** The same without a look at the kubelet's certificate, for clients that ask for it. */
  readonly uncheckedTLS: ConnectionOptions;
  /** Features that the node says it has. */
  readonly declaredFeatures: readonly string[];
  readonly reach: Reach;
}

/**
 * Knows how to connect to kubelets (pkg/kubelet/client, 1.36). Certificates are read again for each connection, so that
 * they may be rotated.
 */
export class KubeletClient {
  readonly #options: KubeletClientOptions;

  /** @throws Error of the file system when a file cannot be read */
  constructor(options: KubeletClientOptions) {
    this.#options = options;
    this.#tls();
  }

  /** How connections into the cluster are made, not to kubelets only. */
  get reach(): Reach {
    return this.#options.reach ?? {};
  }

  /** @throws ProxyError when the node has no address of a preferred type */
  connection(node: Node): KubeletConnection {
    const { port, preferredAddressTypes } = this.#options;
    const reported = node.status?.daemonEndpoints?.kubeletEndpoint?.Port ?? 0;
    const tls = this.#tls();
    return {
      hostname: preferredNodeAddress(node, preferredAddressTypes),
      port: String(reported > 0 ? reported : port),
      tls,
      uncheckedTLS: { ...tls, rejectUnauthorized: false },
      declaredFeatures: node.status?.declaredFeatures ?? [],
      reach: this.reach,
    };
  }

  #tls(): ConnectionOptions {
    const { certificateAuthority, clientCertificate, clientKey } = this.#options;
    return {
      ...(certificateAuthority === ''
        ? { rejectUnauthorized: false }
        : trustBundle(readFileSync(certificateAuthority))),
      ...(clientCertificate === '' ? {} : { cert: readFileSync(clientCertificate), key: readFileSync(clientKey) }),
    };
  }
}
