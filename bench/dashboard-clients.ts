/** A process that opens streams of a dashboard and leaves them open. Its arguments: the URL, how many for each session, and the cookies. */
import { Agent, get } from "node:http";

const [url = "", count = "0", ...cookies] = process.argv.slice(2);
const agent = new Agent({ maxSockets: Infinity });

function open(cookie: string): Promise<void> {
  return new Promise((resolve, reject) => {
    get(`${url}/api/stream?view=${encodeURIComponent("/c/prod")}`, { agent, headers: { cookie } }, (answer) => {
      if (answer.statusCode !== 200) return reject(new Error(`a stream is refused: ${answer.statusCode}`));
      answer.on("error", () => undefined);
      answer.once("data", () => resolve());
      answer.resume();
    }).on("error", reject);
  });
}

for (const cookie of cookies) await Promise.all(Array.from({ length: Number(count) }, () => open(cookie)));
process.send?.("open");
