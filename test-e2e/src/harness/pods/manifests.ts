/** As much of the objects of a chart as running them takes. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly labels?: Readonly<Record<string, string>>;
  };
}

export interface SecretManifest extends Manifest {
  readonly data?: Readonly<Record<string, string>>;
}

export interface ServiceManifest extends Manifest {
  readonly spec: {
    readonly selector: Readonly<Record<string, string>>;
    readonly ports: readonly { readonly name: string; readonly port: number; readonly targetPort: string | number }[];
  };
}

export interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string | number; readonly scheme?: string };
  readonly periodSeconds?: number;
  readonly failureThreshold?: number;
}

export interface Container {
  readonly name: string;
  readonly command: readonly string[];
  readonly args: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value: string }[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
  readonly startupProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
}

export interface Volume {
  readonly name: string;
  readonly emptyDir?: object;
  readonly projected?: {
    readonly defaultMode: number;
    readonly sources: readonly {
      readonly secret: {
        readonly name: string;
        readonly items: readonly { readonly key: string; readonly path: string }[];
      };
    }[];
  };
}

export interface PodSpec {
  readonly containers: readonly Container[];
  readonly volumes: readonly Volume[];
  readonly enableServiceLinks?: boolean;
}

export interface WorkloadManifest extends Manifest {
  readonly spec: {
    readonly template: {
      readonly metadata: { readonly labels: Readonly<Record<string, string>> };
      readonly spec: PodSpec;
    };
    readonly volumeClaimTemplates?: readonly Manifest[];
  };
}

export interface PodManifest extends Manifest {
  readonly spec: PodSpec;
}
