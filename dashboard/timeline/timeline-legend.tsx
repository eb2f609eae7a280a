/** What the colours and patterns of a chart mean. */
export function TimelineLegend() {
  return (
    <ul class="timeline-legend" aria-label="Legend">
      <li>
        <span class="timeline-bar is-apply" /> applied
      </li>
      <li>
        <span class="timeline-bar is-wait" /> waited until ready
      </li>
      <li>
        <span class="timeline-bar is-wait is-failed" /> waited in vain
      </li>
      <li>
        <span class="timeline-bar is-delete" /> deleted
      </li>
      <li>
        <span class="timeline-critical-key" /> critical path: what the end waited for
      </li>
    </ul>
  );
}
