import { existsSync } from 'node:fs';
import { duplicate, invalidValue, notSupported, required, type FieldError } from '@kubechain/apimachinery';
import type { WrittenConnection, WrittenSelection, WrittenTLS, WrittenTransport } from './egress-configuration.ts';

/** What connections are told apart by. */
const egressTypes = ['cluster', 'controlplane', 'etcd'] as const;
export type EgressType = (typeof egressTypes)[number];

/** As the reference names every selection, whichever it is. */
const path = 'service.connection';
const protocols = ['Direct', 'HTTPConnect', 'GRPC'];

/**
 * What is wrong with selections (apiserver/pkg/server/egressselector/config.go ValidateEgressSelectorConfiguration,
 * 1.36).
 */
export function validateEgress(selections: readonly WrittenSelection[]): FieldError[] {
  const errors = selections.flatMap(({ connection = {} }) => connectionProblems(connection));
  const seen = new Set<string>();
  selections.forEach(({ name = '' }, i) => {
    const canonical = name.toLowerCase();
    if (seen.has(canonical)) {
      errors.push(duplicate(`${path}[${i}]`, canonical));
      return;
    }
    seen.add(canonical);
    if (!egressTypes.some((type) => type === canonical)) errors.push(notSupported(path, canonical, egressTypes));
  });
  return errors;
}

function connectionProblems({ proxyProtocol = '', transport }: WrittenConnection): FieldError[] {
  switch (proxyProtocol) {
    case 'Direct':
      return transport === undefined
        ? []
        : [invalidValue(`${path}.transport`, 'direct', 'config must be absent for direct connect')];
    case 'HTTPConnect':
      return transport === undefined
        ? [required(`${path}.transport`, 'transport must be set for HTTPConnect')]
        : connectProblems(transport);
    case 'GRPC':
      if (transport === undefined) return [required(`${path}.transport`, 'transport must be set for GRPC')];
      return transport.uds === undefined
        ? [required(`${path}.uds`, 'UDS must be set with GRPC')]
        : socketProblems(transport.uds);
    default:
      return [notSupported(`${path}.protocol`, proxyProtocol, protocols)];
  }
}

function connectProblems({ tcp, uds }: WrittenTransport): FieldError[] {
  if (tcp !== undefined && uds !== undefined)
    return [invalidValue(`${path}.tcp`, goTransport(tcp), 'TCP and UDS cannot both be set')];
  if (uds !== undefined) return socketProblems(uds);
  if (tcp === undefined) return [required(`${path}.tcp`, 'One of TCP or UDS must be set')];
  const { tlsConfig, url = '' } = tcp;
  if (url.startsWith('https://')) return tlsProblems(tlsConfig);
  if (!url.startsWith('http://'))
    return [invalidValue(`${path}.url`, url, 'supported connection protocols are http:// and https://')];
  return tlsConfig === undefined
    ? []
    : [invalidValue(`${path}.tlsConfig`, 'nil', 'config must not be present when using HTTP')];
}

function socketProblems({ udsName = '' }: { readonly udsName?: string }): FieldError[] {
  return udsName === '' ? [invalidValue(`${path}.udsName`, 'nil', 'must be present for UDS connections')] : [];
}

function tlsProblems(tls: WrittenTLS | undefined): FieldError[] {
  if (tls === undefined) return [required(`${path}.tlsConfig`, 'TLSConfig must be present when using HTTPS')];
  const { caBundle = '', clientCert = '', clientKey = '' } = tls;
  const file = (
    field: string,
    name: string,
    texts: { readonly none?: string; readonly missing: string },
  ): FieldError[] =>
    name === ''
      ? texts.none === undefined
        ? []
        : [invalidValue(`${path}.tlsConfig.${field}`, 'nil', texts.none)]
      : existsSync(name)
        ? []
        : [invalidValue(`${path}.tlsConfig.${field}`, name, texts.missing)];
  return [
    ...file('caBundle', caBundle, { missing: 'TLS config ca bundle does not exist' }),
    ...file('clientCert', clientCert, {
      none: 'Using TLS requires clientCert',
      missing: 'TLS client cert does not exist',
    }),
    ...file('clientKey', clientKey, {
      // Twice, as the reference says it.
      none: 'Using TLS requires requires clientKey',
      missing: 'TLS client key does not exist',
    }),
  ];
}

/** Errors show it by the names of Go's fields, in their order. */
function goTransport({ tlsConfig, url = '' }: NonNullable<WrittenTransport['tcp']>): object {
  const { caBundle = '', clientCert = '', clientKey = '', tlsServerName = '' } = tlsConfig ?? {};
  const tls = { CABundle: caBundle, ClientKey: clientKey, ClientCert: clientCert, TLSServerName: tlsServerName };
  return { toJSON: () => ({ URL: url, TLSConfig: tlsConfig === undefined ? null : tls }) };
}
