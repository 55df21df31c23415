import { FieldPath, invalidValue, validateConditions } from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import { declaredStatusStrategy, declaredStrategy } from '../../declared-strategy.ts';
import { storedResource } from '../../resource.ts';
import type { EvictionRequest } from '../lifecycle-types.ts';
import { printEvictionRequest } from '../table.ts';

const reserved = ['.k8s.io', '.kubernetes.io'];

/**
 * Serves evictionrequests with status, where the feature gate EvictionRequestAPI is on
 * (pkg/registry/lifecycle/evictionrequest, 1.37).
 */
export const evictionRequestResource = storedResource({
  group: 'lifecycle.k8s.io',
  plural: 'evictionrequests',
  strategy: (context) => {
    const strategy = declaredStrategy({ context, status: true, generation: 'spec' });
    return {
      ...strategy,
      validate: async (object, request) => {
        const errors = [...((await strategy.validate?.(object, request)) ?? [])];
        // Mistakes are told in the order of fields.
        const after = errors.findIndex(({ field }) => field === 'spec.intent');
        errors.splice(after < 0 ? errors.length : after, 0, ...reservedRequester(object));
        return errors;
      },
    };
  },
  status: (context) =>
    declaredStatusStrategy({
      context,
      also: (request) =>
        validateConditions(
          (request as EvictionRequest).status?.conditions ?? [],
          FieldPath.of('status').child('conditions'),
          context.release,
        ),
    }),
  row: printEvictionRequest,
});

/** Names of Kubernetes' own domains are nobody's (pkg/apis/core/v1 ValidateForbiddenReservedDomainSuffixes). */
function reservedRequester({ spec }: EvictionRequest): FieldError[] {
  const { requester = '' } = spec ?? {};
  if (requester === '') return [];
  const domain = withoutDots((requester.split('/')[0] ?? '').toLowerCase().trim());
  return reserved.some((suffix) => domain.endsWith(suffix) || domain === suffix.slice(1))
    ? [
        invalidValue(
          FieldPath.of('spec').child('requester'),
          requester,
          `domain names ${reserved.map((suffix) => `*${suffix}`).join(', ')} are reserved`,
        ),
      ]
    : [];
}

function withoutDots(name: string): string {
  let end = name.length;
  while (end > 0 && name[end - 1] === '.') end--;
  return name.slice(0, end);
}
