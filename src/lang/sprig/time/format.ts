import { layoutChunks, type LayoutElement } from "./layout.ts";
import { utcOffsetOf, dateTimeOf, weekdayOf, yearDayOf, type GoTime, type DateTime } from "./go-time.ts";

export const months = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
] as const;
export const weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"] as const;

/** Formats a time by a Go layout, in which 2006-01-02 15:04:05 stands for the parts. */
export function formatGoTime(time: GoTime, layout: string): string {
  const parts = dateTimeOf(time);
  let text = "";
  for (const { literal, element, written } of layoutChunks(layout)) {
    text += literal;
    if (element !== undefined) text += elementText(element, written, time, parts);
  }
  return text;
}

/** The text that Go prints for a time.Time. */
export function goTimeText(time: GoTime): string {
  return formatGoTime(time, "2006-01-02 15:04:05.999999999 -0700 MST");
}

function elementText(element: LayoutElement, written: string, time: GoTime, parts: DateTime): string {
  switch (element) {
    case "fraction0":
    case "fraction9":
      return fractionText(element, written, time.nanos);
    case "MST":
      return zoneName(time);
    case "Mon":
      return weekdays[weekdayOf(time)]!.slice(0, 3);
    case "Monday":
      return weekdays[weekdayOf(time)]!;
    case "__2":
      return String(yearDayOf(time)).padStart(3);
    case "002":
      return String(yearDayOf(time)).padStart(3, "0");
    default:
      return dateText(element, parts) ?? timeText(element, parts) ?? zoneText(element, utcOffsetOf(time));
  }
}

function dateText(element: LayoutElement, { year, month, day }: DateTime): string | undefined {
  switch (element) {
    case "2006":
      return year < 0 ? `-${padded(-year, 4)}` : padded(year, 4);
    case "06":
      return padded(Math.max(year, 0) % 100, 2);
    case "January":
      return months[month - 1]!;
    case "Jan":
      return months[month - 1]!.slice(0, 3);
    case "1":
      return String(month);
    case "01":
      return padded(month, 2);
    case "2":
      return String(day);
    case "_2":
      return String(day).padStart(2);
    case "02":
      return padded(day, 2);
    default:
      return undefined;
  }
}

function timeText(element: LayoutElement, { hour, minute, second }: DateTime): string | undefined {
  switch (element) {
    case "15":
      return padded(hour, 2);
    case "3":
      return String(hour % 12 || 12);
    case "03":
      return padded(hour % 12 || 12, 2);
    case "4":
      return String(minute);
    case "04":
      return padded(minute, 2);
    case "5":
      return String(second);
    case "05":
      return padded(second, 2);
    case "PM":
      return hour >= 12 ? "PM" : "AM";
    case "pm":
      return hour >= 12 ? "pm" : "am";
    default:
      return undefined;
  }
}

function fractionText(element: "fraction0" | "fraction9", written: string, nanos: number): string {
  const digits = padded(nanos, 9)
    .slice(0, written.length - 1)
    .padEnd(written.length - 1, "0");
  if (element === "fraction0") return written[0] + digits;
  const significant = digits.replace(/0+$/, "");
  return significant === "" ? "" : written[0] + significant;
}

function zoneName(time: GoTime): string {
  const name = time.zone.abbreviationAt(time.seconds);
  return name === "" ? zoneText("-0700", utcOffsetOf(time)) : name;
}

function zoneText(element: string, offset: number): string {
  if (element.startsWith("Z") && offset === 0) return "Z";
  const minutes = Math.trunc(Math.abs(offset) / 60);
  const colon = element.includes(":") ? ":" : "";
  const digits = element.replaceAll(/\D/g, "").length;
  const sign = offset <= -60 ? "-" : "+";
  const [hour, minute, second] = [padded(Math.trunc(minutes / 60), 2), padded(minutes % 60, 2), padded(Math.abs(offset) % 60, 2)];
  return `${sign}${hour}${digits >= 4 ? colon + minute : ""}${digits >= 6 ? colon + second : ""}`;
}

function padded(value: number, width: number): string {
  return String(value).padStart(width, "0");
}
