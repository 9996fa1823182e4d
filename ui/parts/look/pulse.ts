/** `<span class="pulse">`: something is under way. */
import { css } from "lit";

export const pulse = css`
  @keyframes pulse {
    50% {
      opacity: 0.35;
    }
  }

  .pulse {
    display: inline-grid;
    animation: pulse 1.6s ease-in-out infinite;
  }

  @media (prefers-reduced-motion: reduce) {
    .pulse {
      animation: none;
    }
  }
`;
