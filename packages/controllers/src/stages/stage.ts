import type { KubeObject } from '@kubechain/apimachinery';
import type { PatchType } from '../client/resource-client.ts';
import type { Body } from './template/template-nodes.ts';

/** A kwok Stage (kwok.x-k8s.io/v1alpha1), read and ready to be played. */
export interface Stage {
  readonly name: string;
  /** File and document. */
  readonly place: string;
  /** Group and version of the objects that it is for, `v1` or `apps/v1`. */
  readonly apiVersion: string;
  readonly kind: string;
  /** Whether it may be the object's next. */
  readonly matches: (object: KubeObject) => boolean;
  /** Its part among all that match; undefined where the object says nothing that is a number. */
  readonly weightOf: (object: KubeObject) => number | undefined;
  /** Milliseconds until it is played, from `nowMs` on; `random` is from 0 up to 1. */
  readonly delayOf: (object: KubeObject, nowMs: number, random: number) => number;
  /** Look for the next one at once, without waiting for the watch. */
  readonly immediateNextStage: boolean;
  readonly steps: readonly StageStep[];
}

/** Whether a stage is for played nodes, or for the pods on them. */
export function isOfNodes({ apiVersion, kind }: Pick<Stage, 'apiVersion' | 'kind'>): boolean {
  return apiVersion === 'v1' && (kind === 'Pod' || kind === 'Node');
}

/** What a stage does, in order. */
export type StageStep =
  | { readonly kind: 'event'; readonly type: 'Normal' | 'Warning'; readonly reason: string; readonly message: string }
  | {
      readonly kind: 'finalizers';
      readonly add: readonly string[];
      readonly remove: readonly string[];
      readonly empty: boolean;
    }
  | { readonly kind: 'delete' }
  | {
      readonly kind: 'patch';
      readonly place: string;
      readonly subresource: string | undefined;
      /** The field that what the template says belongs to; undefined: it is the whole patch. */
      readonly root: string | undefined;
      readonly type: PatchType;
      readonly template: Body;
      /** Who writes it; undefined: whoever plays nodes. */
      readonly impersonate: string | undefined;
    }
  | {
      readonly kind: 'apply';
      readonly place: string;
      /** Of an object that is there already. */
      readonly subresource: string | undefined;
      /** How an object is changed that is there already. */
      readonly type: PatchType | 'apply';
      /** The object, with apiVersion, kind and name; in the namespace of the one that is played unless it says so. */
      readonly template: Body;
      readonly impersonate: string | undefined;
    };
