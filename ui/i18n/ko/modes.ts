export const modes = {
  sure_auto: "계획을 읽지 않고 승인할까요?",
  sureText_auto:
    "이 세션의 모든 계획이 사람 없이 규칙에 따라 즉시 승인됩니다. 이 사실은 기록에 남습니다. 언제든지 끌 수 있습니다.",
  sureYes_auto: "‘계획 ⚡’ 켜기",
  sure_bypass: "확인 없이 모두 실행할까요?",
  sureText_bypass:
    "이 세션에서는 파괴적인 변경을 포함해 어떤 변경도 확인하지 않습니다. 계획 모드는 계속 적용됩니다. 언제든지 끌 수 있습니다.",
  sureYes_bypass: "‘확인 안 함’ 켜기",
  sure_leave: "계획이 기다리는 중인데 계획 모드를 끝낼까요?",
  sureText_leave: "서명을 기다리는 계획이 철회됩니다. 그러면 에이전트가 계획 없이 변경할 수 있습니다.",
  sureYes_leave: "계획 모드 끝내기",
  sure_replan: "계획 실행을 그만둘까요?",
  sureText_replan:
    "승인된 계획은 여기서 끝나고 남은 부분은 실행되지 않습니다. 새 계획에 서명하기 전에는 아무것도 변경되지 않습니다.",
  sureYes_replan: "계획으로 돌아가기",
  hint_default: "파괴적인 작업은 먼저 확인합니다.",
  hint_ask: "모든 변경을 먼저 확인합니다.",
  hint_accept: "파일 편집은 실행되고 다른 변경은 먼저 확인합니다.",
  hint_plan: "계획에 서명하기 전에는 아무것도 변경되지 않습니다.",
  hint_auto: "계획이 규칙에 따라 승인됩니다.",
  hint_bypass: "아무것도 확인하지 않습니다.",
} as const;
