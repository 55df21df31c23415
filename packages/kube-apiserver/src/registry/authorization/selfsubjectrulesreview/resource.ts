import { badRequest } from '@kubechain/apimachinery';
import { createOnly } from '../../create-only.ts';
import { answeredResource } from '../../resource.ts';

/** Of a rule: itself, its lists, and one item in each. */
const valuesOfRule = 7;

/**
 * Lists what the caller may do in a namespace. Rules of one role are in its order; the reference has bindings in the
 * order of its cache, a map of Go, which is another one each time it is asked.
 */
export const selfSubjectRulesReviewResource = answeredResource(({ ruleResolver }) => [
  [
    'selfsubjectrulesreviews',
    createOnly({
      kind: 'SelfSubjectRulesReview',
      singularName: 'selfsubjectrulesreview',
      namespaced: false,
      answer: (review, _name, context) => {
        const namespace = (review['spec'] as { namespace?: string } | undefined)?.namespace ?? '';
        if (namespace === '') throw badRequest('no namespace on request');
        const rules = ruleResolver?.rulesFor(context.request.user, namespace) ?? {
          resourceRules: [],
          nonResourceRules: [],
          incomplete: true,
          evaluationError: 'rules cannot be listed with these authorization modes',
        };
        context.turns?.beginWith(valuesOfRule * rules.resourceRules.length);
        return {
          kind: 'SelfSubjectRulesReview',
          apiVersion: 'authorization.k8s.io/v1',
          metadata: { creationTimestamp: null },
          spec: {},
          status: {
            resourceRules: [...rules.resourceRules],
            nonResourceRules: [...rules.nonResourceRules],
            incomplete: rules.incomplete,
            ...(rules.evaluationError === '' ? {} : { evaluationError: rules.evaluationError }),
          },
        };
      },
    }),
  ],
]);
