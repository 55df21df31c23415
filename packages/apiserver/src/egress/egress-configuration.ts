import { isDecodeError, messageOf } from '@kubechain/apimachinery';
import { configurationKinds, listSchema, structSchema, textSchema } from '../files/configuration-schema.ts';
import { decodeConfiguration } from '../files/decode-configuration.ts';
import { EgressError } from './egress-error.ts';

/** How a proxy is spoken with over TLS; all are files but the name. */
export interface WrittenTLS {
  readonly caBundle?: string;
  readonly clientKey?: string;
  readonly clientCert?: string;
  readonly tlsServerName?: string;
}

/** Where a proxy is. */
export interface WrittenTransport {
  readonly tcp?: { readonly url?: string; readonly tlsConfig?: WrittenTLS };
  readonly uds?: { readonly udsName?: string };
}

/** How connections of one kind are made. */
export interface WrittenConnection {
  readonly proxyProtocol?: string;
  readonly transport?: WrittenTransport;
}

/** One kind of connections: `cluster`, `controlplane` or `etcd`, in any case. */
export interface WrittenSelection {
  readonly name?: string;
  readonly connection?: WrittenConnection;
}

const kinds = configurationKinds(
  { group: 'apiserver.k8s.io', kind: 'EgressSelectorConfiguration', versions: ['v1beta1', 'v1alpha1'] },
  (version) => {
    const struct = (name: string, fields: Parameters<typeof structSchema>[1]): ReturnType<typeof structSchema> =>
      structSchema(`${version}.${name}`, fields);
    const tls = { caBundle: textSchema, clientKey: textSchema, clientCert: textSchema, tlsServerName: textSchema };
    return {
      egressSelections: listSchema(
        struct('EgressSelection', {
          name: textSchema,
          connection: struct('Connection', {
            proxyProtocol: textSchema,
            transport: struct('Transport', {
              tcp: struct('TCPTransport', { url: textSchema, tlsConfig: struct('TLSConfig', tls) }),
              uds: struct('UDSTransport', { udsName: textSchema }),
            }),
          }),
        }),
      ),
    };
  },
);

/** Read, so that they can be told from what is no configuration at all. */
const others = ['TracingConfiguration', 'AuthenticationConfiguration', 'AuthorizationConfiguration'].flatMap((kind) =>
  configurationKinds({ group: 'apiserver.config.k8s.io', kind, versions: ['v1', 'v1beta1', 'v1alpha1'] }, () => ({})),
);

/**
 * The selections of an EgressSelectorConfiguration (apiserver/pkg/server/egressselector/config.go, 1.36), not yet
 * looked at; the name `master`, which `controlplane` had before, is replaced.
 * @throws EgressError in the words of kube-apiserver 1.36
 */
export function decodeEgressConfiguration(text: string): readonly WrittenSelection[] {
  try {
    const { fields, gvk } = decodeConfiguration(text, [...kinds, ...others], { strict: true });
    if (gvk.kind !== 'EgressSelectorConfiguration')
      throw new EgressError(`unexpected config type: ${gvk.group}/${gvk.version}, Kind=${gvk.kind}`);
    const selections = (fields['egressSelections'] ?? []) as readonly WrittenSelection[];
    return selections.map((selection) =>
      selection.name === 'master' ? { ...selection, name: 'controlplane' } : selection,
    );
  } catch (error) {
    throw isDecodeError(error) ? new EgressError(messageOf(error), { cause: error }) : error;
  }
}
