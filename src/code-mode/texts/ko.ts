export const texts = {
  plugin_code_mode: "코드 모드",
  about_code_mode: "에이전트가 격리되어 실행되는 작은 프로그램에서 도구를 호출합니다.",
  codeModeCells:
    "코드 모드: 이번 실행에서 모델은 도구 {tools}개(약 {direct} 토큰) 대신 exec와 wait(약 {cost} 토큰)를 봅니다.",
  codeModeDirect:
    "코드 모드: 이번 실행에서 모델은 도구 {tools}개를 직접 봅니다(약 {direct} 토큰). exec와 wait는 약 {cost}입니다.",
  codeModeUnavailable:
    "코드 모드가 켜져 있지만 샌드박스를 시작할 수 없습니다(runtime_unavailable). 모델에 묻지 않았습니다.",
};
