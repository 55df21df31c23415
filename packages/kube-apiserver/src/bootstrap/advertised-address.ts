import type { FlagValues } from '@kubechain/apiserver/options';
import type { flagSets } from '../flags.ts';

type Values = { readonly [K in 'generic' | 'serving' | 'kubeApiserver']: FlagValues<(typeof flagSets)[K]> };

/**
 * Where clients reach the chain, as --advertise-address, --bind-address, --kubernetes-service-port and --secure-port
 * say.
 */
export function advertisedAddress({ generic, serving, kubeApiserver }: Values): {
  readonly address: string;
  readonly port: number;
} {
  const port = Number(
    kubeApiserver['kubernetes-service-port'] === '' ? serving['secure-port'] : kubeApiserver['kubernetes-service-port'],
  );
  const bound = serving['bind-address'];
  const address =
    generic['advertise-address'] !== ''
      ? generic['advertise-address']
      : bound === '' || bound === '0.0.0.0' || bound === '::'
        ? '127.0.0.1'
        : bound;
  return { address, port: port === 0 ? 6443 : port };
}

/** The same as `host:port`, with --external-hostname before the address. */
export function externalAddress(flags: Values): string {
  const { address, port } = advertisedAddress(flags);
  const host = flags.generic['external-hostname'] === '' ? address : flags.generic['external-hostname'];
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}
