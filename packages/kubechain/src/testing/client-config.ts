/** What a user is known by. */
export type Credentials =
  | { readonly kind: 'certificate'; readonly cert: string; readonly key: string }
  | { readonly kind: 'token'; readonly token: string };

/** What a client of an environment has to know. PEM texts. */
export interface ClientConfig {
  readonly server: string;
  /** The name to ask the server for, and to look for in its certificate; default: that of `server`. */
  readonly serverName?: string;
  readonly caCertificate: string;
  readonly user: string;
  readonly credentials: Credentials;
}

/** How a server is known; what all its clients have alike. */
export type ServerTrust = Pick<ClientConfig, 'caCertificate' | 'serverName'>;

/** Of one client, for others. */
export function trustOf({ caCertificate, serverName }: ServerTrust): ServerTrust {
  return { caCertificate, ...(serverName === undefined ? {} : { serverName }) };
}

/**
 * A kubeconfig as plain data, in the form that @kubernetes/client-node takes:
 *
 *     const config = new KubeConfig();
 *     config.loadFromOptions(env.kubeConfig);
 */
export interface KubeConfigData {
  readonly clusters: readonly {
    readonly name: string;
    readonly server: string;
    readonly caData: string;
    readonly tlsServerName?: string;
    readonly skipTLSVerify: false;
  }[];
  readonly users: readonly {
    readonly name: string;
    readonly certData?: string;
    readonly keyData?: string;
    readonly token?: string;
  }[];
  readonly contexts: readonly { readonly name: string; readonly cluster: string; readonly user: string }[];
  readonly currentContext: string;
}

const NAME = 'kubechain';
const base64 = (text: string): string => Buffer.from(text).toString('base64');

export function kubeConfigData({ caCertificate, credentials, server, serverName, user }: ClientConfig): KubeConfigData {
  const tlsServerName = serverName === undefined ? {} : { tlsServerName: serverName };
  return {
    clusters: [{ name: NAME, server, caData: base64(caCertificate), ...tlsServerName, skipTLSVerify: false }],
    users: [
      credentials.kind === 'token'
        ? { name: user, token: credentials.token }
        : { name: user, certData: base64(credentials.cert), keyData: base64(credentials.key) },
    ],
    contexts: [{ name: NAME, cluster: NAME, user }],
    currentContext: NAME,
  };
}

/** The same as the text of a kubeconfig file. JSON is YAML. */
export function kubeconfigOf(config: ClientConfig): string {
  const { clusters, contexts, currentContext, users } = kubeConfigData(config);
  const file = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: clusters.map(({ caData, name, server, tlsServerName }) => ({
      name,
      cluster: { server, 'tls-server-name': tlsServerName, 'certificate-authority-data': caData },
    })),
    users: users.map(({ certData, keyData, name, token }) => ({
      name,
      user: { token, 'client-certificate-data': certData, 'client-key-data': keyData },
    })),
    contexts: contexts.map(({ name, ...context }) => ({ name, context })),
    'current-context': currentContext,
  };
  return `${JSON.stringify(file, undefined, 2)}\n`;
}
