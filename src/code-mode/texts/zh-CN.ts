export const texts = {
  plugin_code_mode: "代码模式",
  about_code_mode: "智能体通过隔离运行的小程序调用工具。",
  codeModeCells:
    "代码模式：本次运行中模型看到的是 exec 和 wait（约 {cost} 个词元），而不是 {tools} 个工具（约 {direct} 个词元）。",
  codeModeDirect: "代码模式：本次运行中模型直接看到 {tools} 个工具（约 {direct} 个词元）；exec 和 wait 约需 {cost}。",
  codeModeUnavailable: "代码模式已开启，但其沙箱无法启动（runtime_unavailable）。未询问模型。",
};
