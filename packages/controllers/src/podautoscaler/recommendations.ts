import type { HorizontalPodAutoscalerBehavior, HPAScalingRules } from '@kubechain/apimachinery/types/autoscaling/v2';

/** A reason and a message for a condition. */
export interface Words {
  readonly reason: string;
  readonly message: string;
}

/** What is wanted, and what may be. */
export interface Wish {
  readonly current: number;
  readonly desired: number;
  readonly min: number;
  readonly max: number;
}

/** What became of a wish: by what it was held back in time, and by how much may change at once. */
export interface Normalized {
  readonly replicas: number;
  readonly stabilized: boolean;
  readonly stabilization: Words;
  readonly limited: boolean;
  readonly limit: Words;
}

interface Dated {
  readonly value: number;
  readonly atMs: number;
}

const lowerBefore: Words = {
  reason: 'ScaleUpStabilized',
  message: 'recent recommendations were lower than current one, applying the lowest recent recommendation',
};
const higherBefore: Words = {
  reason: 'ScaleDownStabilized',
  message: 'recent recommendations were higher than current one, applying the highest recent recommendation',
};
const ready: Words = { reason: 'ReadyForNewScale', message: 'recommended size matches current size' };
const within: Words = {
  reason: 'DesiredWithinRange',
  message: 'the desired count is within the acceptable range',
};
const tooMany: Words = {
  reason: 'TooManyReplicas',
  message: 'the desired replica count is more than the maximum replica count',
};
const tooFew: Words = {
  reason: 'TooFewReplicas',
  message: 'the desired replica count is less than the minimum replica count',
};
const tooFast: Words = {
  reason: 'ScaleUpLimit',
  message: 'the desired replica count is increasing faster than the maximum scale rate',
};
const tooFastDown: Words = {
  reason: 'ScaleDownLimit',
  message: 'the desired replica count is decreasing faster than the maximum scale rate',
};

/** Without rules a target at most doubles, or grows to this. */
const leastUpLimit = 4;

/** What was recommended for an autoscaler's target, and done, lately. */
export class Recommendations {
  readonly #windowMs: number;
  #recommended: Dated[] = [];
  #ups: Dated[] = [];
  #downs: Dated[] = [];

  /** @param windowMs for how long a higher recommendation keeps the target from shrinking, where no rule says it */
  constructor(windowMs: number, current: number, nowMs: number) {
    this.#windowMs = windowMs;
    this.#recommended.push({ value: current, atMs: nowMs });
  }

  /** A change that was made; remembered for rules, where there are some. */
  scaled(behavior: HorizontalPodAutoscalerBehavior | undefined, change: number, nowMs: number): void {
    if (behavior === undefined) return;
    const made = { value: Math.abs(change), atMs: nowMs };
    const rules = change > 0 ? behavior.scaleUp : behavior.scaleDown;
    const longestMs = Math.max(0, ...(rules?.policies ?? []).map(({ periodSeconds }) => periodSeconds * 1_000));
    const lately = (known: readonly Dated[]): Dated[] => [
      ...known.filter(({ atMs }) => atMs >= nowMs - longestMs),
      made,
    ];
    if (change > 0) this.#ups = lately(this.#ups);
    else this.#downs = lately(this.#downs);
  }

  normalize(wish: Wish, behavior: HorizontalPodAutoscalerBehavior | undefined, nowMs: number): Normalized {
    return behavior === undefined ? this.#byDefault(wish, nowMs) : this.#byRules(wish, behavior, nowMs);
  }

  #byDefault(wish: Wish, nowMs: number): Normalized {
    const stable = Math.max(
      wish.desired,
      ...this.#recommended.filter(({ atMs }) => atMs >= nowMs - this.#windowMs).map(({ value }) => value),
    );
    this.#remember(wish.desired, nowMs - this.#windowMs, nowMs);
    const stabilized = stable !== wish.desired;
    const upLimit = Math.max(2 * wish.current, leastUpLimit);
    const most = Math.min(wish.max, upLimit);
    const mostWords = wish.max > upLimit ? tooFast : tooMany;
    const [replicas, limit] =
      stable < wish.min ? [wish.min, tooFew] : stable > most ? [most, mostWords] : [stable, within];
    return {
      replicas,
      stabilized,
      stabilization: stabilized ? higherBefore : ready,
      limited: replicas !== stable,
      limit,
    };
  }

  #byRules(wish: Wish, { scaleDown, scaleUp }: HorizontalPodAutoscalerBehavior, nowMs: number): Normalized {
    const upMs = (scaleUp?.stabilizationWindowSeconds ?? 0) * 1_000;
    const downSeconds = scaleDown?.stabilizationWindowSeconds;
    const downMs = downSeconds === undefined ? this.#windowMs : downSeconds * 1_000;
    const since = (windowMs: number): number[] =>
      this.#recommended.filter(({ atMs }) => atMs > nowMs - windowMs).map(({ value }) => value);
    const up = Math.min(wish.desired, ...since(upMs));
    const down = Math.max(wish.desired, ...since(downMs));
    const stable = Math.min(Math.max(wish.current, up), down);
    this.#remember(wish.desired, nowMs - Math.max(upMs, downMs), nowMs);
    const stabilized = stable !== wish.desired;
    const heldBack = wish.desired >= wish.current ? lowerBefore : higherBefore;
    const [replicas, limit] = this.#limit({ ...wish, desired: stable }, { scaleDown, scaleUp }, nowMs);
    return {
      replicas,
      stabilized,
      stabilization: stabilized ? heldBack : ready,
      limited: replicas !== stable,
      limit,
    };
  }

  #limit(
    { current, desired, max, min }: Wish,
    {
      scaleDown,
      scaleUp,
    }: { readonly scaleDown: HPAScalingRules | undefined; readonly scaleUp: HPAScalingRules | undefined },
    nowMs: number,
  ): readonly [number, Words] {
    if (desired > current) {
      const limit = Math.max(current, this.#rateLimit(scaleUp, current, { up: true, nowMs }));
      const most = Math.min(max, limit);
      if (desired > most) return [most, max > limit ? tooFast : tooMany];
    } else if (desired < current) {
      const limit = Math.min(current, this.#rateLimit(scaleDown, current, { up: false, nowMs }));
      const least = Math.max(min, limit);
      if (desired < least) return [least, min < limit ? tooFastDown : tooFew];
    }
    return [desired, within];
  }

  /** How far the target may go by the policies of one direction, from what it was at the beginning of their periods. */
  #rateLimit(
    rules: HPAScalingRules | undefined,
    current: number,
    { nowMs, up }: { readonly up: boolean; readonly nowMs: number },
  ): number {
    if (rules?.selectPolicy === 'Disabled') return current;
    const proposals = (rules?.policies ?? []).map(({ periodSeconds, type, value }) => {
      const start =
        current -
        changeSince(this.#ups, nowMs - periodSeconds * 1_000) +
        changeSince(this.#downs, nowMs - periodSeconds * 1_000);
      if (type === 'Pods') return up ? start + value : start - value;
      return up ? Math.ceil(start * (1 + value / 100)) : Math.trunc(start * (1 - value / 100));
    });
    // The least change is the smaller number upwards, the larger one downwards.
    const smallest = (rules?.selectPolicy === 'Min') === up;
    return smallest ? Math.min(...proposals) : Math.max(...proposals);
  }

  #remember(value: number, forgetBeforeMs: number, nowMs: number): void {
    this.#recommended = [...this.#recommended.filter(({ atMs }) => atMs >= forgetBeforeMs), { value, atMs: nowMs }];
  }
}

function changeSince(changes: readonly Dated[], sinceMs: number): number {
  return changes.filter(({ atMs }) => atMs > sinceMs).reduce((sum, { value }) => sum + value, 0);
}
