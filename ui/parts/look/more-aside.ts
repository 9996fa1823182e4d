/** What is wider than its place and scrolls by itself fades out on the side on which there is more, until its end is seen. */
import { css } from "lit";

export const moreAside = css`
  .more-aside,
  .rich :is(pre, table) {
    animation: more-aside linear;
    animation-timeline: scroll(self inline);
  }

  .more-aside:focus-visible,
  .rich :is(pre, table):focus-visible,
  .rich table[dir="rtl"] {
    animation: none; /* the ring of the keyboard is whole */
  }

  @keyframes more-aside {
    0%,
    96% {
      mask: linear-gradient(90deg, #000 calc(100% - 2.5rem), transparent);
    }
  }
`;
