/** The name of a partition in the reasons of degraded health, and in the lag of `sds status`. */
export function streamName({ projector, partition }: { projector: string; partition: number }): string {
  return `${projector}/${partition}`;
}
