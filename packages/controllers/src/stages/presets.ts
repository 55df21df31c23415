/** The Stages of one kind's preset, by what kwok's have in common. */
interface PresetStage {
  readonly name: string;
  readonly kind: 'Pod' | 'Node';
  /** YAML items of `matchExpressions`. */
  readonly when: readonly string[];
  /** YAML of further fields of the spec. */
  readonly more?: readonly string[];
  readonly event?: string;
  /** The template of the status. */
  readonly status?: string;
}

const isIn = (key: string, ...values: readonly string[]): string =>
  `{ key: '${key}', operator: In, values: [${values.map((value) => `'${value}'`).join()}] }`;
const isNotIn = (key: string, value: string): string => `{ key: '${key}', operator: NotIn, values: ['${value}'] }`;
const exists = (key: string): string => `{ key: '${key}', operator: Exists }`;
const lacks = (key: string): string => `{ key: '${key}', operator: DoesNotExist }`;
const condition = (type: string): string => `.status.conditions.[] | select( .type == "${type}" ) | .status`;

const alive = lacks('.metadata.deletionTimestamp');
const phase = (...phases: readonly string[]): string => isIn('.status.phase', ...phases);
const ofJob = isIn('.metadata.ownerReferences.[].kind', 'Job');

/** Delay and weight that annotations of the object can change. */
const annotated = (
  name: string,
  { delay = 1000, jitter, weight = 1 }: { readonly delay?: number; readonly jitter?: number; readonly weight?: number },
): readonly string[] => {
  const from = (what: string): string =>
    `{ expressionFrom: '.metadata.annotations["${name}.stage.kwok.x-k8s.io/${what}"]' }`;
  return [
    `weight: ${weight}`,
    `weightFrom: ${from('weight')}`,
    'delay:',
    `  durationMilliseconds: ${delay}`,
    `  durationFrom: ${from('delay')}`,
    ...(jitter === undefined
      ? ["  jitterDurationFrom: { expressionFrom: '.metadata.deletionTimestamp' }"]
      : [`  jitterDurationMilliseconds: ${jitter}`, `  jitterDurationFrom: ${from('jitter-delay')}`]),
  ];
};

const set = (type: string, status: string, more = ''): string =>
  `- { type: ${type}, status: "${status}", lastTransitionTime: {{ $now | Quote }}${more} }`;
const containers = (member: string, statuses: string, state: string): string => `
${statuses}:
{{ range .spec.${member} }}
- name: {{ .name | Quote }}
  image: {{ .image | Quote }}
  restartCount: 0
  ${state}
{{ end }}`;
const completed =
  'state: { terminated: { exitCode: 0, reason: Completed, startedAt: {{ $now | Quote }}, finishedAt: {{ $now ' +
  '| Quote }} } }';
const running = 'state: { running: { startedAt: {{ $now | Quote }} } }';
const waiting = (reason: string): string =>
  `ready: false\n  started: false\n  state: { waiting: { reason: ${reason} } }`;
const gates = `{{ range .spec.readinessGates }}
- { type: {{ .conditionType | Quote }}, status: "True", lastTransitionTime: {{ $now | Quote }} }
{{ end }}`;
const podPlace =
  '.spec.nodeName (or .spec.hostNetwork false) (or .metadata.uid "") (or .metadata.name "") (or ' +
  '.metadata.namespace "")';
const addresses = `
{{ with NodeIPsWith .spec.nodeName }}
hostIP: {{ index . 0 | Quote }}
hostIPs:
{{ range . }}
- ip: {{ . | Quote }}
{{ end }}
{{ end }}
{{ with PodIPsWith ${podPlace} }}
podIP: {{ index . 0 | Quote }}
podIPs:
{{ range . }}
- ip: {{ . | Quote }}
{{ end }}
{{ end }}`;

const podFast: readonly PresetStage[] = [
  {
    name: 'pod-ready',
    kind: 'Pod',
    when: [alive, phase('Pending'), isNotIn(condition('Ready'), 'True')],
    status: `conditions:
${['Initialized', 'Ready', 'ContainersReady'].map((type) => set(type, 'True')).join('\n')}
${gates}
${containers('containers', 'containerStatuses', `ready: true\n  ${running}`)}
{{ if .spec.initContainers }}
initContainerStatuses:
{{ range .spec.initContainers }}
- name: {{ .name | Quote }}
  image: {{ .image | Quote }}
  restartCount: 0
  ready: true
  {{ if eq .restartPolicy "Always" }}
  started: true
  ${running}
  {{ else }}
  ${completed}
  {{ end }}
{{ end }}
{{ end }}
${addresses}
phase: Running
startTime: {{ $now | Quote }}`,
  },
  {
    name: 'pod-complete',
    kind: 'Pod',
    when: [alive, phase('Running'), ofJob],
    status: `${containers('containers', 'containerStatuses', `ready: false\n  started: false\n  ${completed}`)}
phase: Succeeded`,
  },
  { name: 'pod-delete', kind: 'Pod', when: [exists('.metadata.deletionTimestamp')], more: ['next: { delete: true }'] },
];

const unready = (member: string): string =>
  `, reason: ContainersNotReady, message: 'containers with unready status: [{{ range .spec.${member} }} {{ ` +
  `.name }} {{ end }}]'`;
const notInitialized =
  ", reason: ContainersNotInitialized, message: 'containers with incomplete status: " +
  "[{{ range .spec.initContainers }} {{ .name }} {{ end }}]'";
const initWaiting = exists('.status.initContainerStatuses.[].state.waiting.reason');
const podGeneral: readonly PresetStage[] = [
  {
    name: 'pod-create',
    kind: 'Pod',
    when: [alive, lacks('.status.podIP')],
    more: annotated('pod-create', { jitter: 5000 }),
    event: '{ type: Normal, reason: Created, message: Created container }',
    status: `conditions:
{{ if .spec.initContainers }}
${set('Initialized', 'False', notInitialized)}
{{ else }}
${set('Initialized', 'True')}
{{ end }}
${set('Ready', 'False', unready('containers'))}
${set('ContainersReady', 'False', unready('containers'))}
${gates}
{{ if .spec.initContainers }}
${containers('initContainers', 'initContainerStatuses', waiting('PodInitializing'))}
${containers('containers', 'containerStatuses', waiting('PodInitializing'))}
{{ else }}
${containers('containers', 'containerStatuses', waiting('ContainerCreating'))}
{{ end }}
hostIP: {{ NodeIPWith .spec.nodeName | Quote }}
podIP: {{ PodIPWith ${podPlace} | Quote }}
phase: Pending`,
  },
  {
    name: 'pod-init-container-running',
    kind: 'Pod',
    when: [alive, phase('Pending'), isNotIn(condition('Initialized'), 'True'), initWaiting],
    more: annotated('pod-init-container-running', { jitter: 5000 }),
    status: containers('initContainers', 'initContainerStatuses', `ready: true\n  started: true\n  ${running}`),
  },
  {
    name: 'pod-init-container-completed',
    kind: 'Pod',
    when: [alive, phase('Pending'), exists('.status.initContainerStatuses.[].state.running.startedAt')],
    more: annotated('pod-init-container-completed', { jitter: 5000 }),
    status: `conditions:
${set('Initialized', 'True', ', reason: ""')}
${containers('initContainers', 'initContainerStatuses', `ready: true\n  started: false\n  ${completed}`)}
${containers('containers', 'containerStatuses', waiting('ContainerCreating'))}`,
  },
  {
    name: 'pod-ready',
    kind: 'Pod',
    when: [
      alive,
      phase('Pending'),
      isIn(condition('Initialized'), 'True'),
      lacks('.status.containerStatuses.[].state.running.startedAt'),
    ],
    more: annotated('pod-ready', { jitter: 5000 }),
    status: `conditions:
${['Ready', 'ContainersReady'].map((type) => set(type, 'True', ', reason: "", message: ""')).join('\n')}
${containers('containers', 'containerStatuses', `ready: true\n  started: true\n  ${running}`)}
phase: Running
startTime: {{ $now | Quote }}`,
  },
  {
    name: 'pod-complete',
    kind: 'Pod',
    when: [alive, phase('Running'), isIn(condition('Ready'), 'True'), ofJob],
    more: annotated('pod-complete', { jitter: 5000 }),
    status: `${containers('containers', 'containerStatuses', `ready: true\n  started: false\n  ${completed}`)}
phase: Succeeded`,
  },
  {
    name: 'pod-delete',
    kind: 'Pod',
    when: [exists('.metadata.deletionTimestamp'), lacks('.metadata.finalizers')],
    more: [...annotated('pod-delete', {}), 'next: { delete: true }'],
  },
];

const nodeConditions = (status: string): string => `conditions:
{{ range NodeConditions }}
- type: {{ .type | Quote }}
  lastHeartbeatTime: {{ $now | Quote }}
  lastTransitionTime: {{ $since | Quote }}
${status}
{{ end }}`;
const healthy = `  status: {{ .status | Quote }}
  reason: {{ .reason | Quote }}
  message: {{ .message | Quote }}`;
const since = '{{ $since := or .metadata.creationTimestamp $now }}\n';
const nodeAddresses = `
addresses:
{{ with .status.addresses }}
{{ YAML . 1 }}
{{ else }}
{{ with NodeIP }}
- { type: InternalIP, address: {{ . | Quote }} }
{{ end }}
{{ with NodeName }}
- { type: Hostname, address: {{ . | Quote }} }
{{ end }}
{{ end }}
{{ with NodePort }}
daemonEndpoints: { kubeletEndpoint: { Port: {{ . }} } }
{{ end }}`;
const nodeReady = [phase('Running'), isIn(condition('Ready'), 'True')];
const amounts = (member: string): string => `${member}:
{{ with .status.${member} }}
{{ YAML . 1 }}
{{ else }}
  cpu: 1k
  memory: 1Ti
  pods: 1M
{{ end }}`;
const info = (member: string, otherwise: string): string =>
  `  ${member}: {{ or $info.${member} ${otherwise} | Quote }}`;

const nodeFast: readonly PresetStage[] = [
  {
    name: 'node-initialize',
    kind: 'Node',
    when: [isNotIn(condition('Ready'), 'True')],
    status: `${since}${nodeConditions(healthy)}
${nodeAddresses}
${amounts('allocatable')}
${amounts('capacity')}
{{ $info := .status.nodeInfo }}
{{ $version := printf "kwok-%s" Version }}
nodeInfo:
${info('architecture', '"amd64"')}
${info('operatingSystem', '"linux"')}
${['containerRuntimeVersion', 'kernelVersion', 'kubeProxyVersion', 'kubeletVersion'].map((member) => info(member, '$version')).join('\n')}
${['bootID', 'machineID', 'osImage', 'systemUUID'].map((member) => info(member, '""')).join('\n')}
phase: Running`,
  },
];

const nodeHeartbeat = (withLease: boolean): readonly PresetStage[] => [
  {
    name: withLease ? 'node-heartbeat-with-lease' : 'node-heartbeat',
    kind: 'Node',
    when: nodeReady,
    more: [
      `delay: { durationMilliseconds: ${withLease ? 600_000 : 20_000}, jitterDurationMilliseconds: ` +
        `${withLease ? 610_000 : 25_000} }`,
      ...(withLease ? [] : ['immediateNextStage: true']),
    ],
    status: `${since}${nodeConditions(healthy)}${withLease ? nodeAddresses : ''}`,
  },
];

/** A failure that a label asks for and annotations describe. */
const said = (name: string, what: string, otherwise: string): string =>
  `{{ or (index $annotations "${name}.stage.kwok.x-k8s.io/${what}") ${otherwise} }}`;
const failing = ({
  member,
  name,
  reason,
  statuses,
  text,
  when,
}: {
  readonly name: string;
  readonly when: string;
  readonly member: string;
  readonly statuses: string;
  readonly reason: string;
  readonly text: string;
}): PresetStage => ({
  name,
  kind: 'Pod',
  when: [isIn(`.metadata.labels["${name}.stage.kwok.x-k8s.io"]`, 'true'), alive, phase(when)],
  more: annotated(name, { jitter: 1000, weight: 10_000 }),
  status: `{{ $annotations := or .metadata.annotations dict }}
{{ $which := or (index $annotations "${name}.stage.kwok.x-k8s.io/container-name") "" }}
conditions:
${set('Initialized', member === 'containers' ? 'True' : 'False')}
${set('Ready', 'False')}
${set('ContainersReady', 'False')}
${statuses}:
{{ range .spec.${member} }}
- name: {{ .name | Quote }}
  image: {{ .image | Quote }}
  restartCount: 0
  {{ if or (not $which) (eq .name $which) }}
  ready: false
  started: false
  state:
    terminated:
      exitCode: ${said(name, 'exit-code', '1')}
      reason: ${said(name, 'reason', `"${reason}"`)}
      message: ${said(name, 'message', `"${text}"`)}
      startedAt: {{ $now | Quote }}
      finishedAt: {{ $now | Quote }}
  {{ else }}
  ready: true
  ${member === 'containers' ? running : completed}
  {{ end }}
{{ end }}
hostIP: {{ NodeIPWith .spec.nodeName | Quote }}
podIP: {{ PodIPWith ${podPlace} | Quote }}
phase: Failed
startTime: {{ $now | Quote }}`,
});
const podChaos: readonly PresetStage[] = [
  failing({
    name: 'pod-container-running-failed',
    when: 'Running',
    member: 'containers',
    statuses: 'containerStatuses',
    reason: 'containerFailed',
    text: 'container failed',
  }),
  failing({
    name: 'pod-init-container-running-failed',
    when: 'Pending',
    member: 'initContainers',
    statuses: 'initContainerStatuses',
    reason: 'initContainerError',
    text: 'initContainer reported errors',
  }),
];

function manifestOf({ event, kind, more = [], name, status, when }: PresetStage): string {
  const template = status === undefined ? [] : ['{{ $now := Now }}', ...status.split('\n')];
  return [
    'apiVersion: kwok.x-k8s.io/v1alpha1',
    'kind: Stage',
    `metadata: { name: ${name} }`,
    'spec:',
    `  resourceRef: { apiGroup: v1, kind: ${kind} }`,
    '  selector:',
    '    matchExpressions:',
    ...when.map((expression) => `    - ${expression}`),
    ...more.map((line) => `  ${line}`),
    ...(template.length === 0
      ? []
      : [
          '  next:',
          ...(event === undefined ? [] : [`    event: ${event}`]),
          '    statusTemplate: |',
          ...template.map((line) => `      ${line}`),
        ]),
    '',
  ].join('\n');
}

const preset = (stages: readonly PresetStage[]): string => stages.map(manifestOf).join('---\n');

/** Manifests of the stages that kwok comes with, to be named where a file could be; they do what kwok's do. */
export const stagePresets: ReadonlyMap<string, string> = new Map([
  ['pod-fast', preset(podFast)],
  ['pod-general', preset(podGeneral)],
  ['pod-chaos', preset(podChaos)],
  ['node-fast', preset(nodeFast)],
  ['node-heartbeat', preset(nodeHeartbeat(false))],
  ['node-heartbeat-with-lease', preset(nodeHeartbeat(true))],
]);
