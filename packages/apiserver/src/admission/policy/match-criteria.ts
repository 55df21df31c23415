import { FormatError, selectorFromObject } from '@kubechain/apimachinery';
import type { LabelSelector, LabelSelectorObject } from '@kubechain/apimachinery';
import type { AdmissionAttributes } from '../admission.ts';
import type { RequestForm } from '../cel/admission-request.ts';
import type { NamespaceLister } from '../namespace-lister.ts';
import { ruleMatches } from '../webhook/rules.ts';
import { matchesNamespace, matchesObject } from '../webhook/selector-match.ts';
import type { NamedRule, StoredMatch } from './stored-policy.ts';

/** What requests a policy or binding speaks of (policy/matching/matching.go, 1.36). */
export class MatchCriteria {
  readonly #match: StoredMatch;
  #selectors: { readonly namespace: LabelSelector; readonly object: LabelSelector } | undefined;

  constructor(match: StoredMatch) {
    this.#match = match;
  }

  /**
   * The form in which a request matches: as it came, or as an equivalent resource; undefined for requests that do not.
   * @throws FormatError, StatusError where selectors of rules that match cannot be applied
   */
  async formOf(attributes: AdmissionAttributes, namespaces: NamespaceLister): Promise<RequestForm | undefined> {
    const { excludeResourceRules = [], matchPolicy, resourceRules = [] } = this.#match;
    const { kind, resource } = attributes;
    // Rules need no waiting, and an error counts only where they match.
    const form = resourceRules.length === 0 ? { kind, resource } : formIn(resourceRules, matchPolicy, attributes);
    if (form === undefined || formIn(excludeResourceRules, matchPolicy, attributes) !== undefined) return undefined;
    const selectors = (this.#selectors ??= {
      namespace: selectorOf(this.#match.namespaceSelector, 'namespace'),
      object: selectorOf(this.#match.objectSelector, 'object'),
    });
    if (!matchesObject(selectors.object, attributes)) return undefined;
    return (await matchesNamespace(selectors.namespace, attributes, namespaces)) ? form : undefined;
  }
}

function selectorOf(selector: LabelSelectorObject | undefined, what: string): LabelSelector {
  if (selector === undefined)
    throw new FormatError(`a nil ${what} selector was passed, please ensure selectors are initialized properly`);
  return selectorFromObject(selector);
}

function formIn(
  rules: readonly NamedRule[],
  matchPolicy: string | undefined,
  attributes: AdmissionAttributes,
): RequestForm | undefined {
  const { kind, name, namespace, operation, resource, subresource } = attributes;
  const named = ({ resourceNames = [] }: NamedRule): boolean =>
    resourceNames.length === 0 || resourceNames.includes(name);
  if (rules.some((rule) => ruleMatches(rule, attributes) && named(rule))) return { kind, resource };
  if (rules.length === 0 || matchPolicy !== 'Equivalent') return undefined;
  const others = attributes.objects.equivalents();
  for (const rule of rules) {
    if (!named(rule)) continue;
    const other = others.find((candidate) =>
      ruleMatches(rule, { namespace, operation, subresource, resource: candidate.resource }),
    );
    if (other !== undefined) return other;
  }
  return undefined;
}
