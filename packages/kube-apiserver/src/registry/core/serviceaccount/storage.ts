import type { StorageProvider } from '../../storage-provider.ts';
import { serviceAccountStrategy } from './strategy.ts';
import { serviceAccountToken } from './token.ts';

/** Serves serviceaccounts and, with a signing key, their tokens. */
export const serviceAccountStorage: StorageProvider = (context) => {
  const store = context.store({
    group: '',
    plural: 'serviceaccounts',
    strategy: serviceAccountStrategy,
    returnDeletedObject: true,
  });
  return [
    ['serviceaccounts', store],
    ...(context.tokenIssuer === undefined
      ? []
      : [['serviceaccounts/token', serviceAccountToken(store, context, context.tokenIssuer)] as const]),
  ];
};
