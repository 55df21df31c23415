import { goTool } from '../harness/go-tools.ts';
import type { Cluster } from './cluster.ts';
import type { RecordedStore } from './chart-recorder.ts';
import { importImage } from './image.ts';
import { addProgram } from './program-files.ts';

const IMAGE = 'docker.io/library/etcd:1';
const PORT = 2379;
const CLIENTS = `http://0.0.0.0:${PORT}`;

/** Starts etcd in a namespace of the cluster, at `restricted`; resolves when it answers, to where that is. */
export async function startEtcdPod(
  cluster: Cluster,
  namespace: string,
): Promise<RecordedStore & { readonly host: string }> {
  const program = await goTool('etcd');
  await importImage(cluster.machine, {
    names: [IMAGE],
    fill: (root) => addProgram(root, program, '/etcd'),
    config: { Entrypoint: ['/etcd'] },
  });
  const metadata = { name: 'etcd', namespace, labels: { app: 'etcd' } };
  const host = `etcd.${namespace}.svc`;
  await cluster.apply(
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata,
      spec: { selector: metadata.labels, ports: [{ port: PORT }] },
    },
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata,
      spec: {
        securityContext: {
          runAsNonRoot: true,
          runAsUser: 1000,
          fsGroup: 1000,
          seccompProfile: { type: 'RuntimeDefault' },
        },
        volumes: [{ name: 'data', emptyDir: {} }],
        containers: [
          {
            name: 'etcd',
            image: IMAGE,
            args: [
              '--data-dir=/data/etcd',
              `--listen-client-urls=${CLIENTS}`,
              `--advertise-client-urls=http://${host}:${PORT}`,
            ],
            securityContext: {
              allowPrivilegeEscalation: false,
              readOnlyRootFilesystem: true,
              capabilities: { drop: ['ALL'] },
            },
            readinessProbe: { httpGet: { path: '/health', port: PORT }, periodSeconds: 1 },
            volumeMounts: [{ name: 'data', mountPath: '/data' }],
          },
        ],
      },
    },
  );
  await cluster.kubectl.ok(`wait pod/etcd -n ${namespace} --for=condition=Ready --timeout=120s`);
  const address = await cluster.kubectl.ok(`get service etcd -n ${namespace} -o jsonpath={.spec.clusterIP}`);
  return { address, port: PORT, host };
}
