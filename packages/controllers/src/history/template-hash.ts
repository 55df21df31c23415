import { schemaFor } from '@kubechain/apimachinery';
import type { PodTemplateSpec } from '@kubechain/apimachinery/types/core/v1';
import { goDump } from '../go-dump/go-dump.ts';
import { safeEncode } from './revision-hash.ts';

/** Bytes of a collision count. */
const countBytes = 8;

/**
 * The short name of a template: FNV-1a over how Go prints it, and over the collisions so far; the same value as
 * kube-controller-manager's. Source: controller.ComputeHash (1.36).
 */
export function templateHash(template: PodTemplateSpec, collisionCount: number | undefined): string {
  const count = Buffer.alloc(collisionCount === undefined ? 0 : countBytes);
  if (collisionCount !== undefined) count.writeInt32LE(collisionCount);
  const text = goDump(schemaFor('io.k8s.api.core.v1.PodTemplateSpec'), template);
  let hash = 0x811c9dc5;
  for (const byte of Buffer.concat([Buffer.from(text), count])) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return safeEncode(String(hash));
}
