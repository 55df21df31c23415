import type { AdmissionAttributes } from '../admission.ts';
import { hooksFor, type HookFeed } from '../webhook/webhook-plugin.ts';

/**
 * Reviews that nobody keeps and that authentication and authorization stand on: a policy about them could lock
 * everybody out.
 */
const excluded: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['authentication.k8s.io', new Set(['selfsubjectreviews', 'tokenreviews'])],
  [
    'authorization.k8s.io',
    new Set([
      'localsubjectaccessreviews',
      'selfsubjectaccessreviews',
      'selfsubjectrulesreviews',
      'subjectaccessreviews',
    ]),
  ],
]);

/** Policies and their bindings, which no policy of the API has a say in. */
const own: ReadonlySet<string> = new Set([
  'validatingadmissionpolicies',
  'validatingadmissionpolicybindings',
  'mutatingadmissionpolicies',
  'mutatingadmissionpolicybindings',
]);

/**
 * The policies that may have a say in a request (pkg/kubeapiserver/admission/exclusion, 1.36). @throws StatusError when
 * they do not become known
 */
export function policiesFor<H>(
  attributes: AdmissionAttributes,
  source: HookFeed<H>,
): readonly H[] | Promise<readonly H[]> {
  const { group, resource } = attributes.resource;
  return excluded.get(group)?.has(resource) === true
    ? []
    : hooksFor(attributes, source, group === 'admissionregistration.k8s.io' && own.has(resource));
}
