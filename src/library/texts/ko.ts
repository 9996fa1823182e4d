export const texts = {
  plugin_library: "계획 라이브러리",
  about_library: "제출된 모든 계획을 파일로 보관하고 검색할 수 있게 합니다.",
  planFileLost_full:
    "디스크가 가득 차서 이 계획의 파일 사본이 없습니다. 계획 자체는 저장되어 있으며 결정할 수 있습니다.",
  planFileLost_read_only:
    "계획 폴더에 쓸 수 없어 이 계획의 파일 사본이 없습니다. 계획 자체는 저장되어 있으며 결정할 수 있습니다.",
  planFileLost_refused:
    "계획 폴더가 다른 곳을 가리켜 이 계획의 파일 사본이 없습니다. 계획 자체는 저장되어 있으며 결정할 수 있습니다.",
  planFileLost_taken:
    "이 제목과 날짜의 파일 이름이 모두 사용 중이어서 이 계획의 파일 사본이 없습니다. 계획 자체는 저장되어 있으며 결정할 수 있습니다.",
  planFileLost_unwritable:
    "디스크 오류로 이 계획의 파일 사본이 없습니다. 계획 자체는 저장되어 있으며 결정할 수 있습니다.",
  unitLostTracked:
    "Git이 .holdpoint/work의 파일을 추적하며 그런 파일은 건드리지 않습니다. 이 계획의 사본은 그곳에 없습니다. 계획은 그대로 실행됩니다.",
  unitLost: "이 계획의 사본을 .holdpoint/work에 쓸 수 없었습니다({because}). 계획은 그대로 실행됩니다.",
  workUnitsHere: "이 작업 폴더의 승인된 계획",
};
