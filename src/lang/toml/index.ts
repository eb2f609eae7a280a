/**
 * TOML as Helm's template functions read and write it (BurntSushi/toml), from and to Go values.
 *
 * It works on text and knows neither Helm nor files.
 */
export { writeToml } from "./write.ts";
export { readToml } from "./read.ts";
