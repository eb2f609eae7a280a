const rfc3339 = /^(\d{4})-(\d\d)-(\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** Go's zero time, which stands for a time that is not recorded. */
const noTime = "0001-01-01T00:00:00Z";

/** A recorded time as Go's `time.RFC3339` prints it: to the second, in the zone that it was recorded in. */
export function secondsText(time: string = noTime): string {
  const { year, month, day, clock, zone } = partsOf(time);
  return `${year}-${month}-${day}T${clock}${zone === "+00:00" ? "Z" : zone}`;
}

const days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** A recorded time as Go's `time.ANSIC` prints it, which leaves the zone out. */
export function ansicText(time: string = noTime): string {
  const { year, month, day, clock } = partsOf(time);
  const weekday = days[new Date(`${year}-${month}-${day}T00:00:00Z`).getUTCDay()];
  return `${weekday} ${months[Number(month) - 1]} ${String(Number(day)).padStart(2)} ${clock} ${year}`;
}

function partsOf(time: string) {
  const [, year = "0001", month = "01", day = "01", clock = "00:00:00", zone = "Z"] = rfc3339.exec(time) ?? [];
  return { year, month, day, clock, zone };
}
