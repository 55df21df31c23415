export { pod } from './sample-pod.ts';
export { FakeClock, settle } from './fake-clock.ts';
