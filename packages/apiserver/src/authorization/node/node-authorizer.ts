import { ALLOW, NO_OPINION } from '../authorizer.ts';
import type { AuthorizationAttributes, AuthorizationResult, Authorizer, RuleResolver } from '../authorizer.ts';
import type { UserInfo } from '../../request/user-info.ts';
import { goQuote, parseFieldSelector } from '@kubechain/apimachinery';
import type { PolicyRule } from '../rbac/rbac-objects.ts';
import { ruleAllows } from '../rbac/rule-allows.ts';
import type { NodeGraph, RelatedKind } from './node-graph.ts';
import { nodeNameOf } from './node-identity.ts';

const NODE_LEASE_NAMESPACE = 'kube-node-lease';

/**
 * --authorization-mode=Node: gives kubelets what belongs to their node and nothing else. For requests that name one of
 * the resources in `judges` the object's relation to the node decides, for all others the rules of system:node.
 * Source: plugin/pkg/auth/authorizer/node/node_authorizer.go.
 */
export class NodeAuthorizer implements Authorizer, RuleResolver {
  readonly #graph: NodeGraph;
  readonly #rules: readonly PolicyRule[];
  readonly #known: () => Promise<void> | undefined;

  /**
   * `rules` are those of the bootstrap ClusterRole system:node. `known`: resolves when the graph has what there is,
   * undefined once it has; it is asked when a node's relation to an object decides. Default: it has.
   */
  constructor(
    graph: NodeGraph,
    rules: readonly PolicyRule[],
    known: () => Promise<void> | undefined = () => undefined,
  ) {
    this.#graph = graph;
    this.#rules = rules;
    this.#known = known;
  }

  authorize(attributes: AuthorizationAttributes): AuthorizationResult | Promise<AuthorizationResult> {
    const nodeName = nodeNameOf(attributes.user);
    if (nodeName === undefined) return NO_OPINION;
    if (nodeName === '') return noOpinion(`unknown node for user ${goQuote(attributes.user.name)}`);
    if (attributes.resourceRequest) {
      const judge = judges.get(`${attributes.apiGroup}/${attributes.resource}`);
      if (judge !== undefined) {
        const question: Question = { graph: this.#graph, nodeName, attributes, looked: false };
        const answer = judge(question);
        if (!question.looked || answer.decision === 'Allow') return answer;
        const waiting = this.#known();
        return waiting === undefined ? answer : waiting.then(() => judge(question));
      }
    }
    return this.#rules.some((rule) => ruleAllows(rule, attributes)) ? ALLOW : NO_OPINION;
  }

  rulesFor(user: UserInfo): ReturnType<RuleResolver['rulesFor']> {
    const isNode = nodeNameOf(user) !== undefined;
    return {
      resourceRules: [],
      nonResourceRules: [],
      incomplete: isNode,
      evaluationError: isNode ? 'node authorizer does not support user rule resolution' : '',
    };
  }
}

interface Question {
  readonly graph: NodeGraph;
  readonly nodeName: string;
  readonly attributes: AuthorizationAttributes;
  /** Whether what the graph does not know (yet) was asked for. */
  looked: boolean;
}
type Judge = (question: Question) => AuthorizationResult;

const judges: ReadonlyMap<string, Judge> = new Map<string, Judge>([
  ['/secrets', (question) => readNamespaced(question, 'secret')],
  ['/configmaps', (question) => readNamespaced(question, 'configmap')],
  [
    '/persistentvolumeclaims',
    (question) =>
      question.attributes.subresource === 'status' ? updateStatus(question, 'pvc') : getOne(question, 'pvc'),
  ],
  ['/persistentvolumes', (question) => getOne(question, 'pv')],
  ['resource.k8s.io/resourceclaims', (question) => getOne(question, 'resourceclaim')],
  ['storage.k8s.io/volumeattachments', (question) => getOne(question, 'volumeattachment')],
  ['/serviceaccounts', serviceAccount],
  ['coordination.k8s.io/leases', lease],
  ['storage.k8s.io/csinodes', csiNode],
  ['resource.k8s.io/resourceslices', resourceSlice],
  ['/nodes', node],
  ['/pods', pod],
  ['certificates.k8s.io/podcertificaterequests', podCertificateRequest],
]);

function noOpinion(reason: string): AuthorizationResult {
  return { decision: 'NoOpinion', reason };
}

function related(question: Question, kind: RelatedKind): AuthorizationResult {
  const { attributes, graph, nodeName } = question;
  const { namespace, name } = attributes;
  if (name === '') return noOpinion('No Object name found');
  question.looked = true;
  return graph.isRelated(nodeName, kind, namespace === '' ? name : `${namespace}/${name}`)
    ? ALLOW
    : noOpinion(`no relationship found between node '${nodeName}' and this object`);
}

function readNamespaced(question: Question, kind: RelatedKind): AuthorizationResult {
  const { verb, subresource, namespace } = question.attributes;
  if (!['get', 'list', 'watch'].includes(verb)) return noOpinion('can only read resources of this type');
  if (subresource !== '') return noOpinion('cannot read subresource');
  if (namespace === '') return noOpinion('can only read namespaced object of this type');
  return related(question, kind);
}

function getOne(question: Question, kind: RelatedKind): AuthorizationResult {
  const { verb, subresource } = question.attributes;
  if (verb !== 'get') return noOpinion('can only get individual resources of this type');
  if (subresource !== '') return noOpinion('cannot get subresource');
  return related(question, kind);
}

function updateStatus(question: Question, kind: RelatedKind): AuthorizationResult {
  const { verb } = question.attributes;
  return verb === 'update' || verb === 'patch'
    ? related(question, kind)
    : noOpinion('can only get/update/patch this type');
}

function serviceAccount(question: Question): AuthorizationResult {
  const { verb, subresource, name } = question.attributes;
  if (verb === 'get' && subresource === '') return readNamespaced(question, 'serviceaccount');
  if (verb !== 'create' || name === '') return noOpinion('can only create tokens for individual service accounts');
  if (subresource !== 'token') return noOpinion('can only create token subresource of serviceaccount');
  return related(question, 'serviceaccount');
}

/** The name of an object to create is not known here; the NodeRestriction admission plugin looks at it. */
function lease({ nodeName, attributes: { verb, namespace, name } }: Question): AuthorizationResult {
  if (!['get', 'create', 'update', 'patch', 'delete'].includes(verb))
    return noOpinion('can only get, create, update, patch, or delete a node lease');
  if (namespace !== NODE_LEASE_NAMESPACE)
    return noOpinion(`can only access leases in the "${NODE_LEASE_NAMESPACE}" system namespace`);
  return verb === 'create' || name === nodeName
    ? ALLOW
    : noOpinion('can only access node lease with the same name as the requesting node');
}

function csiNode({ nodeName, attributes: { verb, subresource, name } }: Question): AuthorizationResult {
  if (!['get', 'create', 'update', 'patch', 'delete'].includes(verb))
    return noOpinion('can only get, create, update, patch, or delete a CSINode');
  if (subresource !== '') return noOpinion('cannot authorize CSINode subresources');
  return verb === 'create' || name === nodeName
    ? ALLOW
    : noOpinion('can only access CSINode with the same name as the requesting node');
}

function resourceSlice(question: Question): AuthorizationResult {
  const { verb, subresource } = question.attributes;
  if (subresource !== '') return noOpinion('cannot authorize ResourceSlice subresources');
  switch (verb) {
    case 'create':
      return ALLOW;
    case 'get':
    case 'update':
    case 'patch':
    case 'delete':
      return related(question, 'resourceslice');
    case 'watch':
    case 'list':
    case 'deletecollection':
      return selects(question, 'spec.nodeName')
        ? ALLOW
        : noOpinion('can only list/watch/deletecollection resourceslices with nodeName field selector');
    default:
      return noOpinion(
        'only the following verbs are allowed for a ResourceSlice: get, watch, list, create, update, patch, ' +
          'delete, deletecollection',
      );
  }
}

function podCertificateRequest(question: Question): AuthorizationResult {
  const { verb, subresource } = question.attributes;
  if (subresource !== '') return noOpinion('nodes may not access the status subresource of PodCertificateRequests');
  switch (verb) {
    case 'create':
      return ALLOW;
    case 'get':
      return related(question, 'podcertificaterequest');
    case 'list':
    case 'watch':
      return selects(question, 'spec.nodeName')
        ? ALLOW
        : noOpinion('can only list/watch podcertificaterequests with nodeName field selector');
    default:
      return noOpinion(`nodes may not ${verb} podcertificaterequests`);
  }
}

/** Compared by name, not by relation: kubelets look for their Node before they create it. */
function node({ nodeName, attributes: { verb, subresource, name } }: Question): AuthorizationResult {
  if (subresource === 'status') return verb === 'update' || verb === 'patch' ? ALLOW : NO_OPINION;
  if (subresource !== '') return NO_OPINION;
  if (verb === 'create' || verb === 'update' || verb === 'patch') return ALLOW;
  if (verb !== 'get' && verb !== 'list' && verb !== 'watch') return NO_OPINION;
  if (name === nodeName) return ALLOW;
  return noOpinion(
    name === ''
      ? `node '${nodeName}' cannot read all nodes, only its own Node object`
      : `node '${nodeName}' cannot read '${name}', only its own Node object`,
  );
}

function pod(question: Question): AuthorizationResult {
  const { verb, subresource, name } = question.attributes;
  switch (subresource) {
    case '':
      if (verb === 'get') return getOne(question, 'pod');
      if (verb === 'create' || verb === 'delete') return ALLOW;
      if (verb !== 'list' && verb !== 'watch') return NO_OPINION;
      if (selects(question, 'spec.nodeName')) return ALLOW;
      return name === ''
        ? noOpinion('can only list/watch pods with spec.nodeName field selector')
        : related(question, 'pod');
    case 'status':
      return verb === 'update' || verb === 'patch' ? ALLOW : NO_OPINION;
    case 'eviction':
      return verb === 'create' ? ALLOW : NO_OPINION;
    default:
      return NO_OPINION;
  }
}

/** Whether the request's field selector narrows it to this node. A selector that cannot be parsed narrows nothing. */
function selects({ nodeName, attributes }: Question, field: string): boolean {
  if (attributes.fieldSelector === undefined || attributes.fieldSelector === '') return false;
  try {
    return parseFieldSelector(attributes.fieldSelector).requirements.some(
      (requirement) => requirement.field === field && requirement.operator === '=' && requirement.value === nodeName,
    );
  } catch {
    return false;
  }
}
