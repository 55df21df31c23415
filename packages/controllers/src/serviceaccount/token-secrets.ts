import type { Secret } from '@kubechain/apimachinery/types/core/v1';
import { resources } from '../client/resources.ts';
import type { InformerFactory } from '../informers/informer-factory.ts';
import type { SharedInformer } from '../informers/shared-informer.ts';

/** The type of secrets that have a service account's token, and the annotations that name the account. */
export const tokenSecrets = {
  type: 'kubernetes.io/service-account-token',
  accountName: 'kubernetes.io/service-account.name',
  accountUid: 'kubernetes.io/service-account.uid',
} as const;

const byAccount = 'service account';

/** Secrets with tokens of service accounts, and no others. */
export function tokenSecretInformer(informers: InformerFactory): SharedInformer<Secret> {
  const informer = informers.informer(resources.secrets, { fieldSelector: `type=${tokenSecrets.type}` });
  informer.addIndex(byAccount, ({ metadata }) => {
    const name = metadata?.annotations?.[tokenSecrets.accountName];
    return name === undefined ? [] : [`${metadata?.namespace ?? ''}/${name}`];
  });
  return informer;
}

/** Those that name an account, which is given as `namespace/name`. */
export function tokenSecretsOf(informer: SharedInformer<Secret>, account: string): readonly Secret[] {
  return informer.byIndex(byAccount, account);
}
